/* Loaded before a process (LD_PRELOAD): its calls of one kind on files of one folder fail with EIO, the n-th, or from it on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int fails(int file, const char *kind) {
  static long seen = 0;
  static int counting = 0;
  const char *folder = getenv("FAILING_FOLDER");
  if (counting || folder == NULL || strcmp(getenv("FAILING_CALLS"), kind) != 0) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  counting = 1;
  ssize_t length = readlink(link, path, sizeof path);
  counting = 0;
  if (length < (ssize_t)strlen(folder) || strncmp(path, folder, strlen(folder)) != 0) return 0;
  long first = atol(getenv("FAILING_FROM"));
  seen += 1;
  if (getenv("FAILING_ON") == NULL ? seen != first : seen < first) return 0;
  errno = EIO;
  return 1;
}

#define WRAP(type, name, kind, with, without)      \
  type name with {                                 \
    static type(*real) with = NULL;                \
    if (real == NULL) real = dlsym(RTLD_NEXT, #name); \
    return fails(file, kind) ? -1 : real without;  \
  }

WRAP(ssize_t, read, "read", (int file, void *to, size_t bytes), (file, to, bytes))
WRAP(ssize_t, pread64, "read", (int file, void *to, size_t bytes, off64_t at), (file, to, bytes, at))
WRAP(ssize_t, write, "write", (int file, const void *from, size_t bytes), (file, from, bytes))
WRAP(ssize_t, pwrite64, "write", (int file, const void *from, size_t bytes, off64_t at), (file, from, bytes, at))
WRAP(int, ftruncate64, "write", (int file, off64_t bytes), (file, bytes))
WRAP(int, fsync, "sync", (int file), (file))
WRAP(int, fdatasync, "sync", (int file), (file))
