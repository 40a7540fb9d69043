#include <stddef.h>
#include <stdint.h>

// libFuzzer's entry, there where a program was built with -sanitize=fuzzer.
typedef int (*fuzz_callback)(const uint8_t *data, size_t size);
int LLVMFuzzerRunDriver(int *argc, char ***argv, fuzz_callback callback);
