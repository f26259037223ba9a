/* The one function of bcryptprimitives.dll that Rust's library uses, for versions of Wine that do not
 * have that library. */

#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length)
{
    return length <= 0xFFFFFFFFu && SystemFunction036(buffer, (ULONG)length);
}
