/*
 * nvToolsExt.h: marks for NVIDIA's profilers. Nothing looks at them here.
 */
#ifndef NVTX_TOOLS_EXT_H
#define NVTX_TOOLS_EXT_H

#include <stdint.h>

#define NVTX_VERSION                  3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef union {
    const char *ascii;
    const wchar_t *unicode;
} nvtxMessageValue_t;
enum { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB };
enum { NVTX_MESSAGE_UNKNOWN, NVTX_MESSAGE_TYPE_ASCII, NVTX_MESSAGE_TYPE_UNICODE };
typedef struct {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define WARPUP_MARK(type, name, parameters)                                                        \
    static inline type name parameters { return (type)0; }
WARPUP_MARK(int, nvtxRangePushA, (const char *name))
WARPUP_MARK(int, nvtxRangePushW, (const wchar_t *name))
WARPUP_MARK(int, nvtxRangePushEx, (const nvtxEventAttributes_t *mark))
WARPUP_MARK(int, nvtxRangePop, (void))
WARPUP_MARK(nvtxRangeId_t, nvtxRangeStartA, (const char *name))
WARPUP_MARK(nvtxRangeId_t, nvtxRangeStartEx, (const nvtxEventAttributes_t *mark))
WARPUP_MARK(void, nvtxRangeEnd, (nvtxRangeId_t range))
WARPUP_MARK(void, nvtxMarkA, (const char *name))
WARPUP_MARK(void, nvtxMarkEx, (const nvtxEventAttributes_t *mark))
WARPUP_MARK(void, nvtxNameOsThreadA, (uint32_t thread, const char *name))
WARPUP_MARK(void, nvtxNameCategoryA, (uint32_t category, const char *name))
WARPUP_MARK(nvtxDomainHandle_t, nvtxDomainCreateA, (const char *name))
WARPUP_MARK(void, nvtxDomainDestroy, (nvtxDomainHandle_t domain))
WARPUP_MARK(int, nvtxDomainRangePushEx,
            (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *mark))
WARPUP_MARK(int, nvtxDomainRangePop, (nvtxDomainHandle_t domain))
#undef WARPUP_MARK
#define nvtxRangePush    nvtxRangePushA
#define nvtxRangeStart   nvtxRangeStartA
#define nvtxMark         nvtxMarkA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA

#endif
