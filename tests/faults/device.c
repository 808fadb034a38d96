// Faults of a GPU for tests: a library (LD_PRELOAD) between a program with CUDA and the driver's library, libcuda.so.1. CUDA's
// run-time library, cuFFT, cuBLAS and the program itself look functions of the driver up by name, by dlsym() or cuGetProcAddress(); what
// they get here counts the calls and makes one of them fail. The environment says which:
//
//   DEVICE_FAULT_CALLS  the kinds that are counted, with commas: allocate launch copy fill wait host; all of them when empty. host:
//                       allocations of fields in host memory (src/core/device.hpp), which give nothing where they fail
//   DEVICE_FAULT_AT     number of the call that fails, from 1; 0 or nothing: none
//   DEVICE_FAULT_ERROR  what it returns, a CUresult: 2 out of memory, 700 illegal address, 719 launch failure
//   DEVICE_FAULT_LASTS  1: all calls of the driver fail from that one on, as after a fault that ends a context
//   DEVICE_FAULT_LOG    a file that gets, at the end of a program that made such calls, a line "kind calls" for each kind, and one
//                       "failed name number"
//
// A failing call is not carried out. Nothing of CUDA is needed to build it:  cc -shared -fPIC -O1 -o device.so device.c
// For x86-64 and AArch64: all arguments of the functions in question are whole numbers and addresses, which are passed on unseen.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uintptr_t Word;
typedef int Function(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word);
typedef void* LookUp(void*, const char*);

static const char* const kinds[] = {"allocate", "launch", "copy", "fill", "wait", "host"};
enum { host = 5, number_of_kinds = sizeof kinds / sizeof kinds[0], most_functions = 256 };
// Functions of a kind by the beginning of their names, so that each version of a function is one.
static const struct {
  const char* begin;
  int kind;
} known[] = {{"cuMemAlloc", 0},      {"cuMemHostAlloc", 0},      {"cuMemHostRegister", 0},
             {"cuLaunchKernel", 1},  {"cuGraphLaunch", 1},       {"cuMemcpy", 2},
             {"cuMemsetD", 3},       {"cuStreamSynchronize", 4}, {"cuEventSynchronize", 4},
             {"cuCtxSynchronize", 4}};

static struct {
  Function* real;
  int kind;
  char name[64];
} functions[most_functions];
static atomic_int number_of_functions;
static atomic_long calls[number_of_kinds], counted;
static const char* _Atomic failed_name;

static const char* setting(const char* name) {
  const char* const value = getenv(name);
  return value == NULL ? "" : value;
}

static int is_counted(int kind) {
  const char* const list = setting("DEVICE_FAULT_CALLS");
  const size_t length = strlen(kinds[kind]);
  if (*list == '\0') return 1;
  for (const char* at = list; (at = strstr(at, kinds[kind])) != NULL; at += length) {
    if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0')) return 1;
  }
  return 0;
}

// Whether this call fails.
static int fails(int kind, const char* name) {
  atomic_fetch_add(&calls[kind], 1);
  if (failed_name != NULL && kind != host && strcmp(setting("DEVICE_FAULT_LASTS"), "1") == 0)
    return 1;
  if (!is_counted(kind)) return 0;
  if (atomic_fetch_add(&counted, 1) + 1 != atol(setting("DEVICE_FAULT_AT"))) return 0;
  failed_name = name;
  return 1;
}

static int call(int n, Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i,
                Word j, Word k, Word l) {
  if (fails(functions[n].kind, functions[n].name)) return atoi(setting("DEVICE_FAULT_ERROR"));
  return functions[n].real(a, b, c, d, e, f, g, h, i, j, k, l);
}

#define ARGUMENTS \
  Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j, Word k, Word l
#define ONE(n) \
  static int counted_##n(ARGUMENTS) { return call(n, a, b, c, d, e, f, g, h, i, j, k, l); }
#define EIGHT(do, n) \
  do (n##0) do(n##1) do(n##2) do(n##3) do(n##4) do(n##5) do(n##6) do(n##7)
#define ALL_OF(do, n)                                                                             \
  EIGHT(do, n##0)                                                                                 \
  EIGHT(do, n##1) EIGHT(do, n##2) EIGHT(do, n##3) EIGHT(do, n##4) EIGHT(do, n##5) EIGHT(do, n##6) \
      EIGHT(do, n##7)
// In octal, as the compiler reads them: 0000 to 0377.
#define ALL(do) ALL_OF(do, 00) ALL_OF(do, 01) ALL_OF(do, 02) ALL_OF(do, 03)
ALL(ONE)
#define NAME(n) counted_##n,
static Function* const counting[most_functions] = {ALL(NAME)};

static void* counted_look_up(const char* name, void* found);

// The driver's own ways to look functions up; later ones have a fifth argument.
typedef int Address(const char*, void**, int, uint64_t, Word);
static Address* real_address;

static int address(const char* name, void** found, int version, uint64_t flags, Word more) {
  const int result = real_address(name, found, version, flags, more);
  if (result == 0 && found != NULL) *found = counted_look_up(name, *found);
  return result;
}

// What to give for a function of the driver that was found.
static void* counted_look_up(const char* name, void* found) {
  if (found == NULL) return NULL;
  if (strcmp(name, "cuGetProcAddress") == 0 || strcmp(name, "cuGetProcAddress_v2") == 0) {
    real_address = (Address*)found;
    return (void*)address;
  }
  for (size_t n = 0; n < sizeof known / sizeof known[0]; ++n) {
    if (strncmp(name, known[n].begin, strlen(known[n].begin)) != 0) continue;
    const int last = atomic_load(&number_of_functions);
    for (int m = 0; m < last; ++m) {
      if (functions[m].real == (Function*)found) return (void*)counting[m];
    }
    const int mine = atomic_fetch_add(&number_of_functions, 1);
    if (mine >= most_functions) {
      fprintf(stderr, "tests/faults/device.c: more functions than %d\n", most_functions);
      abort();
    }
    functions[mine].kind = known[n].kind;
    snprintf(functions[mine].name, sizeof functions[mine].name, "%s", name);
    functions[mine].real = (Function*)found;
    return (void*)counting[mine];
  }
  return found;
}

void* dlsym(void* handle, const char* name) {
  static LookUp* real;
  if (real == NULL) {
    for (const char* const* version =
             (const char* const[]){"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17", NULL};
         real == NULL && *version != NULL; ++version)
      real = (LookUp*)dlvsym(RTLD_NEXT, "dlsym", *version);
  }
  void* const found = real(handle, name);
  return strncmp(name, "cu", 2) == 0 ? counted_look_up(name, found) : found;
}

// Arrays of fields begin with a page, small or large; nothing else asks for that.
void* aligned_alloc(size_t alignment, size_t bytes) {
  void* p = NULL;
  if (alignment >= 4096 && fails(host, "aligned_alloc")) return NULL;
  return posix_memalign(&p, alignment, bytes) == 0 ? p : NULL;
}

__attribute__((destructor)) static void report(void) {
  const char* const log = setting("DEVICE_FAULT_LOG");
  long all = 0;
  for (int n = 0; n < number_of_kinds; ++n) all += atomic_load(&calls[n]);
  FILE* const file = *log == '\0' || all == 0 ? NULL : fopen(log, "w");
  if (file == NULL) return;
  for (int n = 0; n < number_of_kinds; ++n)
    fprintf(file, "%s %ld\n", kinds[n], atomic_load(&calls[n]));
  if (failed_name != NULL) fprintf(file, "failed %s %s\n", failed_name, setting("DEVICE_FAULT_AT"));
  fclose(file);
}
