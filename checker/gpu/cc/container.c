/*
 * container.c: see container.h. The sections of an object file may lie anywhere in it, so the
 * container is appended, and the section's header then says where it is.
 */
#define _GNU_SOURCE
#include "gpu/cc/container.h"

#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char SECTION[] = ".nv_fatbin";
static const char NAME[16] = "WARPUP-PTX";

/* The offset of the section's header in the file; 0: there is none. */
static size_t find_section(const char *file, size_t bytes)
{
    const Elf64_Ehdr *head = (const void *)file;
    if (bytes < sizeof *head || memcmp(file, ELFMAG, SELFMAG) != 0 || file[EI_CLASS] != ELFCLASS64)
        return 0;
    if (head->e_shoff + (size_t)head->e_shnum * sizeof(Elf64_Shdr) > bytes) return 0;
    const Elf64_Shdr *sections = (const void *)(file + head->e_shoff);
    const char *names = file + sections[head->e_shstrndx].sh_offset;
    for (unsigned i = 1; i < head->e_shnum; i++)
        if (strcmp(names + sections[i].sh_name, SECTION) == 0)
            return head->e_shoff + i * sizeof *sections;
    return 0;
}

static bool write_container(FILE *file, const char *const texts[BUILDS])
{
    uint32_t count = BUILDS;
    bool good =
        fwrite(NAME, sizeof NAME, 1, file) == 1 && fwrite(&count, sizeof count, 1, file) == 1;
    for (uint32_t kind = 0; kind < BUILDS && good; kind++) {
        uint32_t bytes = (uint32_t)strlen(texts[kind]);
        good = fwrite(&kind, sizeof kind, 1, file) == 1 &&
               fwrite(&bytes, sizeof bytes, 1, file) == 1 &&
               fwrite(texts[kind], 1, bytes, file) == bytes;
    }
    return good;
}

const char *container_put(const char *object, const char *const texts[BUILDS])
{
    size_t bytes = 0;
    const char *content = text_read(object, &bytes);
    size_t header = content == NULL ? 0 : find_section(content, bytes);
    if (content == NULL) return text_of("%s is missing", object);
    if (header == 0) return NULL; /* a source without kernels */
    Elf64_Shdr section;
    memcpy(&section, content + header, sizeof section);
    FILE *file = fopen(object, "r+be");
    if (file == NULL) return text_of("%s: %s", object, strerror(errno));
    section.sh_offset = (bytes + 15) / 16 * 16;
    bool good = fseek(file, (long)section.sh_offset, SEEK_SET) == 0 && write_container(file, texts);
    section.sh_size = (uint64_t)ftell(file) - section.sh_offset;
    good = good && fseek(file, (long)header, SEEK_SET) == 0 &&
           fwrite(&section, sizeof section, 1, file) == 1;
    if (fclose(file) != 0 || !good)
        return text_of("%s cannot be written: %s", object, strerror(errno));
    return NULL;
}
