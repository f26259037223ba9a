// Translates shaders in several threads, and prints the number of words and a checksum of each.
//
//     c++ -std=c++17 -o threads threads.cpp $(pkg-config --cflags --libs trellis) -lpthread
//     ./threads A.dxil B.dxil ...

#include <atomic>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <trellis.h>
#include <vector>

namespace trellis {

// Objects that free themselves.
template <auto Free> struct Deleter {
    template <class T> void operator()(T *handle) const { Free(handle); }
};
template <class T, auto Free> using Owned = std::unique_ptr<T, Deleter<Free>>;
using Shader = Owned<trellis_shader, trellis_shader_free>;
using Options = Owned<trellis_options, trellis_options_free>;
using Converter = Owned<trellis_converter, trellis_converter_free>;
using Module = Owned<trellis_module, trellis_module_free>;

// Calls a function whose last arguments are its result and its error; an error is an exception.
template <class Result, class... Parameters, class... Arguments>
Result make(trellis_status (*function)(Parameters...), Arguments... arguments)
{
    typename Result::pointer handle = nullptr;
    trellis_error *error = nullptr;
    if (function(arguments..., &handle, &error) != TRELLIS_OK) {
        Owned<trellis_error, trellis_error_free> owned(error);
        throw std::runtime_error(trellis_error_text(error, nullptr));
    }
    return Result(handle);
}

} // namespace trellis

static std::string translate(trellis_converter *converter, const char *path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const auto shader = trellis::make<trellis::Shader>(trellis_shader_load, bytes.data(), bytes.size());
    const auto module = trellis::make<trellis::Module>(trellis_converter_convert, converter, shader.get(),
                                                       nullptr, std::size_t{0});
    std::size_t count = 0;
    const std::uint32_t *words = trellis_module_words(module.get(), &count);
    std::uint32_t sum = 0x811C9DC5; // FNV-1a, by words
    for (std::size_t i = 0; i < count; ++i)
        sum = (sum ^ words[i]) * 0x01000193;
    return std::to_string(count) + " words, checksum " + std::to_string(sum);
}

int main(int argc, char **argv)
{
    const std::vector<const char *> paths(argv + 1, argv + argc);
    std::vector<std::string> lines(paths.size());
    std::atomic<std::size_t> next{0};
    const auto options = trellis::make<trellis::Options>(trellis_options_new);

    const auto work = [&] {
        // Each thread has a converter, with a copy of the options.
        const auto converter = trellis::make<trellis::Converter>(trellis_converter_new, options.get());
        for (std::size_t i; (i = next++) < paths.size();) {
            try {
                lines[i] = translate(converter.get(), paths[i]);
            } catch (const std::exception &error) {
                lines[i] = error.what();
            }
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back(work);
    for (auto &thread : threads)
        thread.join();
    for (const auto &line : lines)
        std::printf("%s\n", line.c_str());
    return 0;
}
