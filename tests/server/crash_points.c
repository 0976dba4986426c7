/* Loaded with LD_PRELOAD into a server: kills it at a given system call, and logs what it writes to its database.
 *
 * CRASH_AT is "operation moment number path": the operation is sync, write or send; the moment is before or after the
 * call; the number counts calls; the path is how the file's name ends, or "socket".
 * CRASH_LOG is a file that gets every write, truncation, sync and removal of database files, for tests/server/power_cut.py.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int calls;
static int log_file = -1;

static void path_of(int fd, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, size - 1);
    path[length > 0 ? length : 0] = 0;
}

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static void reach(const char *operation, const char *moment, const char *path) {
    const char *at = getenv("CRASH_AT");
    char wanted_operation[16], wanted_moment[16], wanted_path[256];
    int number;
    if (at == NULL || sscanf(at, "%15s %15s %d %255s", wanted_operation, wanted_moment, &number, wanted_path) != 4)
        return;
    if (strcmp(operation, wanted_operation) != 0 || strcmp(moment, wanted_moment) != 0)
        return;
    int matches = strcmp(wanted_path, "socket") == 0 ? strncmp(path, "socket:", 7) == 0 : ends_with(path, wanted_path);
    if (matches && __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST) == number)
        kill(getpid(), SIGKILL);
}

static void log_change(char operation, const char *path, int64_t offset, const void *data, uint32_t length) {
    const char *name = getenv("CRASH_LOG");
    int is_database = strstr(path, "sevenhues.db") != NULL && !ends_with(path, "-shm");
    if (name == NULL || !(is_database || operation == 'd'))
        return;
    if (log_file < 0)
        log_file = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    uint32_t path_length = strlen(path);
    size_t size = 1 + 8 + 4 + 4 + path_length + length;
    char *record = malloc(size), *at = record;
    *at++ = operation;
    memcpy(at, &offset, 8), at += 8;
    memcpy(at, &path_length, 4), at += 4;
    memcpy(at, &length, 4), at += 4;
    memcpy(at, path, path_length), at += path_length;
    memcpy(at, data, length);
    if (syscall(SYS_write, log_file, record, size) != (ssize_t)size)  /* one call, so that records stay whole */
        abort();
    free(record);
}

static ssize_t positioned_write(int fd, const void *data, size_t length, off64_t offset) {
    char path[512];
    path_of(fd, path, sizeof path);
    reach("write", "before", path);
    log_change('w', path, offset, data, length);
    ssize_t result = REAL(pwrite64)(fd, data, length, offset);
    reach("write", "after", path);
    return result;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
    return positioned_write(fd, data, length, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
    return positioned_write(fd, data, length, offset);
}

static int synchronize(int fd, int (*real)(int)) {
    char path[512];
    path_of(fd, path, sizeof path);
    reach("sync", "before", path);
    int result = real(fd);
    struct stat status;
    if (result == 0 && fstat(fd, &status) == 0)
        log_change(S_ISDIR(status.st_mode) ? 'd' : 's', path, 0, "", 0);
    reach("sync", "after", path);
    return result;
}

int fsync(int fd) { return synchronize(fd, REAL(fsync)); }

int fdatasync(int fd) { return synchronize(fd, REAL(fdatasync)); }

int ftruncate64(int fd, off64_t length) {
    char path[512];
    path_of(fd, path, sizeof path);
    log_change('t', path, length, "", 0);
    return REAL(ftruncate64)(fd, length);
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

int unlink(const char *path) {
    log_change('u', path, 0, "", 0);
    return REAL(unlink)(path);
}

#define SENDING(call)                    \
    char path[512];                      \
    path_of(fd, path, sizeof path);      \
    reach("send", "before", path);       \
    ssize_t result = call;               \
    reach("send", "after", path);        \
    return result;

ssize_t write(int fd, const void *data, size_t length) { SENDING(REAL(write)(fd, data, length)) }

ssize_t writev(int fd, const struct iovec *parts, int count) { SENDING(REAL(writev)(fd, parts, count)) }

ssize_t send(int fd, const void *data, size_t length, int flags) { SENDING(REAL(send)(fd, data, length, flags)) }

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) { SENDING(REAL(sendmsg)(fd, message, flags)) }
