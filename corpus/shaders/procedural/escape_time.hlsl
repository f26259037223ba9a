// trellis.mandelbrot: ps_6_0 main
// trellis.julia: ps_6_0 main -DJULIA
// trellis.double: ps_6_0 main -DREAL=double
// trellis.newton: ps_6_0 main -DNEWTON
// Sets in the complex plane by the number of steps until a point escapes, or by the root that it finds.
#ifndef REAL
#define REAL float
#endif
cbuffer Plane { float2 Middle; float Zoom; float2 Seed; };

float4 main(float2 uv : UV) : SV_Target {
  REAL x = (REAL)(uv.x * Zoom + Middle.x), y = (REAL)(uv.y * Zoom + Middle.y);
#ifdef NEWTON
  for (uint n = 0; n < 24; ++n) {
    REAL x2 = x * x - y * y, y2 = 2 * x * y, size = 3 * (x2 * x2 + y2 * y2) + (REAL)1e-6f;
    REAL dx = (x * (x * x - 3 * y * y) - 1), dy = y * (3 * x * x - y * y);
    REAL sx = (dx * x2 + dy * y2) / size, sy = (dy * x2 - dx * y2) / size;
    x -= sx;
    y -= sy;
    if (sx * sx + sy * sy < (REAL)1e-6f)
      return float4(x > 0, y > 0, y < 0, 1) * (1 - n / 24.0f);
  }
  return 0;
#else
#ifdef JULIA
  REAL cx = (REAL)Seed.x, cy = (REAL)Seed.y;
#else
  REAL cx = x, cy = y;
#endif
  uint i = 0;
  do {
    REAL t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
  } while (++i < 64 && x * x + y * y < 4);
  return i == 64 ? 0 : float4(0.5f + 0.5f * cos(i * 0.3f + float3(0, 2, 4)), 1);
#endif
}
