#!/bin/sh
# Installs the C library of `cargo build --release -p trellis-c` on Linux: install.sh PREFIX [FOLDER]
# FOLDER has the libraries, `target/release` of the repository by default.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
built=${2:-$here/../../target/release}
lib=$1/lib
version=$(sed -n 's/^#define TRELLIS_VERSION_[A-Z]* //p' "$here/include/trellis.h" | paste -s -d . -)
# As in build.rs: versions with one of these names are compatible.
case $version in
    0.*) compatible=${version%.*} ;;
    *) compatible=${version%%.*} ;;
esac
mkdir -p "$lib/pkgconfig" "$lib/cmake/trellis" "$1/include"
cp "$here/include/trellis.h" "$1/include"
cp "$built/libtrellis.so" "$lib/libtrellis.so.$version"
cp "$built/libtrellis.a" "$lib"
if command -v strip >/dev/null; then
    strip --strip-unneeded "$lib/libtrellis.so.$version"
    strip --strip-debug "$lib/libtrellis.a"
fi
ln -sf "libtrellis.so.$version" "$lib/libtrellis.so.$compatible"
ln -sf "libtrellis.so.$compatible" "$lib/libtrellis.so"

cat >"$lib/pkgconfig/trellis.pc" <<END
prefix=\${pcfiledir}/../..
Name: trellis
Description: Translates Direct3D 12 shaders (DXIL) to Vulkan SPIR-V
Version: $version
Cflags: -I\${prefix}/include
Libs: -L\${prefix}/lib -ltrellis
Libs.private: -lpthread -ldl -lm
END

cat >"$lib/cmake/trellis/trellis-config.cmake" <<END
# The targets trellis::trellis, the shared library, and trellis::static.
get_filename_component(_trellis "\${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET trellis::trellis)
  add_library(trellis::trellis SHARED IMPORTED)
  set_target_properties(trellis::trellis PROPERTIES
    IMPORTED_LOCATION "\${_trellis}/lib/libtrellis.so.$version"
    IMPORTED_SONAME "libtrellis.so.$compatible"
    INTERFACE_INCLUDE_DIRECTORIES "\${_trellis}/include")
  add_library(trellis::static STATIC IMPORTED)
  set_target_properties(trellis::static PROPERTIES
    IMPORTED_LOCATION "\${_trellis}/lib/libtrellis.a"
    INTERFACE_INCLUDE_DIRECTORIES "\${_trellis}/include"
    INTERFACE_LINK_LIBRARIES "pthread;dl;m")
endif()
END

cat >"$lib/cmake/trellis/trellis-config-version.cmake" <<END
set(PACKAGE_VERSION $version)
if(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION
    AND "$version." MATCHES "^\${PACKAGE_FIND_VERSION_MAJOR}[.]")
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
END
