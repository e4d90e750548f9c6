/* version.h: the version of thrust that this lab follows. */
#define THRUST_VERSION       200500
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 5
