// Faults of the machine for tests: a library between a program and libc (LD_PRELOAD) that counts the calls
// which change files below one folder and makes one of them fail. The environment says which:
//
//   FAULT_FOLDER  the folder, an absolute path without links; nothing is counted without it
//   FAULT_CALLS   the kinds that are counted, with commas: open write flush close rename truncate reserve
//                 folder link remove; all of them when empty
//   FAULT_AT      number of the call that fails, from 1; 0: none
//   FAULT_LASTS   1: all counted calls from that one on fail
//   FAULT_ERROR   the number for errno; "short": half of the bytes are written, and that is reported;
//                 "kill": SIGKILL before the call; "torn": SIGKILL after half of the bytes
//   FAULT_LOG     a file outside the folder that gets a line for each counted call: kind and path
//   FAULT_CLOCK   seconds by which the clock of the day jumps, without FAULT_FOLDER too
//   FAULT_CLOCK_FILE   it has jumped once this file exists
//
// A call is counted by the path that its descriptor has now, so that no table of descriptors is needed.
// close() is carried out before it reports a fault, as on Linux.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long count;

static const char* setting(const char* name) {
  const char* const value = getenv(name);
  return value == NULL ? "" : value;
}

static int is_one_of(const char* kind, const char* list) {
  const size_t length = strlen(kind);
  if (*list == '\0') return 1;
  for (const char* at = list; (at = strstr(at, kind)) != NULL; at += length) {
    const int begins = at == list || at[-1] == ',', ends = at[length] == '\0' || at[length] == ',';
    if (begins && ends) return 1;
  }
  return 0;
}

static int is_below(const char* path, const char* folder) {
  const size_t length = strlen(folder);
  return length > 0 && strncmp(path, folder, length) == 0 &&
         (path[length] == '/' || path[length] == '\0');
}

// Without the parts . and .. that the program's own paths do not have either.
static void absolute(const char* path, char* out) {
  if (path[0] == '/') {
    snprintf(out, PATH_MAX, "%s", path);
    return;
  }
  char here[PATH_MAX / 2];
  if (getcwd(here, sizeof here) == NULL) here[0] = '\0';
  snprintf(out, PATH_MAX, "%s/%.2000s", here, path);
}

static void path_of(int descriptor, char* out) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t n = readlink(link, out, PATH_MAX - 1);
  out[n < 0 ? 0 : n] = '\0';
}

// Whether this call of this kind is to fail.
static int fails(const char* kind, const char* path) {
  if (!is_below(path, setting("FAULT_FOLDER")) || !is_one_of(kind, setting("FAULT_CALLS"))) return 0;
  pthread_mutex_lock(&lock);
  const long mine = ++count;
  const char* const log = setting("FAULT_LOG");
  if (*log != '\0') {
    char line[PATH_MAX + 64];
    const int n = snprintf(line, sizeof line, "%s %s\n", kind, path);
    const int fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (fd >= 0 && n > 0) syscall(SYS_write, fd, line, (size_t)n);
    if (fd >= 0) syscall(SYS_close, fd);
  }
  pthread_mutex_unlock(&lock);
  const long at = atol(setting("FAULT_AT"));
  if (at == 0 || mine < at || (mine > at && strcmp(setting("FAULT_LASTS"), "1") != 0)) return 0;
  if (strcmp(setting("FAULT_ERROR"), "kill") == 0) kill(getpid(), SIGKILL);
  return 1;
}

static int fails_on(const char* kind, int descriptor) {
  char path[PATH_MAX];
  path_of(descriptor, path);
  return fails(kind, path);
}

static int fails_at(const char* kind, const char* path) {
  char whole[PATH_MAX];
  absolute(path, whole);
  return fails(kind, whole);
}

static int refuse(void) {
  errno = atoi(setting("FAULT_ERROR"));
  return -1;
}

static int is_short(void) { return strcmp(setting("FAULT_ERROR"), "short") == 0; }

// The bytes that a failing write still writes; -1: none, with errno.
static ssize_t part_of(size_t bytes) {
  const size_t half = bytes > 1 ? bytes / 2 : bytes;
  if (is_short() || strcmp(setting("FAULT_ERROR"), "torn") == 0) return (ssize_t)half;
  return refuse();
}

static ssize_t torn(ssize_t written) {
  if (strcmp(setting("FAULT_ERROR"), "torn") == 0) kill(getpid(), SIGKILL);
  return written;
}

ssize_t write(int fd, const void* bytes, size_t n) {
  if (!fails_on("write", fd)) return syscall(SYS_write, fd, bytes, n);
  const ssize_t part = part_of(n);
  return part < 0 ? part : torn(syscall(SYS_write, fd, bytes, (size_t)part));
}

static ssize_t write_at(int fd, const void* bytes, size_t n, off_t at) {
  if (!fails_on("write", fd)) return syscall(SYS_pwrite64, fd, bytes, n, at);
  const ssize_t part = part_of(n);
  return part < 0 ? part : torn(syscall(SYS_pwrite64, fd, bytes, (size_t)part, at));
}
ssize_t pwrite(int fd, const void* bytes, size_t n, off_t at) { return write_at(fd, bytes, n, at); }
ssize_t pwrite64(int fd, const void* bytes, size_t n, off_t at) {
  return write_at(fd, bytes, n, at);
}

ssize_t writev(int fd, const struct iovec* pieces, int count_of_pieces) {
  if (!fails_on("write", fd)) return syscall(SYS_writev, fd, pieces, count_of_pieces);
  const ssize_t part = part_of(pieces[0].iov_len);
  return part < 0 ? part : torn(syscall(SYS_write, fd, pieces[0].iov_base, (size_t)part));
}

static int open_any(int folder, const char* path, int flags, mode_t mode) {
  const int changes = (flags & (O_CREAT | O_TRUNC | O_WRONLY | O_RDWR)) != 0;
  if (changes && fails_at("open", path) && !is_short()) return refuse();
  return (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define OPEN(name)                                            \
  int name(const char* path, int flags, ...) {                \
    va_list more;                                             \
    va_start(more, flags);                                    \
    const mode_t mode = va_arg(more, mode_t);                 \
    va_end(more);                                             \
    return open_any(AT_FDCWD, path, flags, mode);             \
  }
#define OPEN_AT(name)                                         \
  int name(int folder, const char* path, int flags, ...) {    \
    va_list more;                                             \
    va_start(more, flags);                                    \
    const mode_t mode = va_arg(more, mode_t);                 \
    va_end(more);                                             \
    return open_any(folder, path, flags, mode);               \
  }
OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)

int fsync(int fd) { return fails_on("flush", fd) ? refuse() : (int)syscall(SYS_fsync, fd); }
int fdatasync(int fd) { return fails_on("flush", fd) ? refuse() : (int)syscall(SYS_fdatasync, fd); }

int close(int fd) {
  char path[PATH_MAX];
  path_of(fd, path);
  const int flags = (int)syscall(SYS_fcntl, fd, F_GETFL);
  const int failed = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && fails("close", path);
  const int result = (int)syscall(SYS_close, fd);
  return failed ? refuse() : result;
}

int rename(const char* from, const char* to) {
  return fails_at("rename", to) ? refuse()
                                : (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

static int cut(int fd, off_t size) {
  return fails_on("truncate", fd) ? refuse() : (int)syscall(SYS_ftruncate, fd, size);
}
int ftruncate(int fd, off_t size) { return cut(fd, size); }
int ftruncate64(int fd, off_t size) { return cut(fd, size); }
int truncate(const char* path, off_t size) {
  return fails_at("truncate", path) ? refuse() : (int)syscall(SYS_truncate, path, size);
}

static int reserve(int fd, int mode, off_t first, off_t size) {
  return fails_on("reserve", fd) ? refuse() : (int)syscall(SYS_fallocate, fd, mode, first, size);
}
int fallocate(int fd, int mode, off_t first, off_t size) { return reserve(fd, mode, first, size); }
int fallocate64(int fd, int mode, off_t first, off_t size) {
  return reserve(fd, mode, first, size);
}

int mkdir(const char* path, mode_t mode) {
  return fails_at("folder", path) ? refuse() : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}
int symlink(const char* target, const char* path) {
  return fails_at("link", path) ? refuse() : (int)syscall(SYS_symlinkat, target, AT_FDCWD, path);
}
int unlink(const char* path) {
  return fails_at("remove", path) ? refuse() : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

static long jump(void) {
  const char* const file = setting("FAULT_CLOCK_FILE");
  const int there = *file != '\0' && syscall(SYS_faccessat, AT_FDCWD, file, F_OK) == 0;
  return there ? atol(setting("FAULT_CLOCK")) : 0;
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  const int result = (int)syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    now->tv_sec += jump();
  return result;
}

int gettimeofday(struct timeval* now, void* zone) {
  const int result = (int)syscall(SYS_gettimeofday, now, zone);
  if (result == 0) now->tv_sec += jump();
  return result;
}

time_t time(time_t* out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != NULL) *out = now.tv_sec;
  return now.tv_sec;
}
