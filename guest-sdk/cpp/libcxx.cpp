// For choreographies that use the C++ standard library: what the library does when it runs out of memory or finds a
// mistake. Its own versions print to a console, and would import one. A trap ends the guest, and the log has its place.
#include <cstdlib>
#include <new>

#if __has_include(<__verbose_abort>)
#include <__verbose_abort>

[[noreturn]] void std::__libcpp_verbose_abort(const char *, ...) {
    __builtin_trap();
}
#endif

extern "C" _Noreturn void abort() {
    __builtin_trap();
}

void *operator new(std::size_t size) {
    void *it = std::malloc(size > 0 ? size : 1);
    if (!it) __builtin_trap();
    return it;
}

void *operator new[](std::size_t size) {
    return operator new(size);
}

void operator delete(void *it) noexcept {
    std::free(it);
}

void operator delete[](void *it) noexcept {
    std::free(it);
}

void operator delete(void *it, std::size_t) noexcept {
    std::free(it);
}

void operator delete[](void *it, std::size_t) noexcept {
    std::free(it);
}
