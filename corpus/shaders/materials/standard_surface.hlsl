// trellis: ps_6_0 main
// trellis.coat: ps_6_0 main -DCOAT
// trellis.sheen: ps_6_0 main -DSHEEN
// trellis.anisotropic: ps_6_0 main -DANISOTROPIC
// trellis.half: ps_6_2 main -enable-16bit-types -DREAL=half -DREAL3=half3
// A physically based surface under one light, with its usual layers.
#ifndef REAL
#define REAL float
#define REAL3 float3
#endif
cbuffer Material { float4 Base; float Rough; float Metal; float Coat; float Aniso; float3 Sheen; };
cbuffer Light { float3 ToLight; float3 Radiance; float3 Eye; };

REAL spread(REAL nh, REAL a) {
  REAL d = (nh * a - nh) * nh + 1;
  return a / (REAL(3.14159f) * d * d + REAL(0.0001f));
}

REAL visible(REAL nl, REAL nv, REAL a) {
  return REAL(0.5f) / max(lerp(2 * nl * nv, nl + nv, a), REAL(0.001f));
}

float4 main(float3 place : PLACE, float3 normal : NORMAL, float4 tangent : TANGENT) : SV_Target {
  REAL3 n = (REAL3)normalize(normal), l = (REAL3)ToLight, v = (REAL3)normalize(Eye - place);
  REAL3 h = normalize(l + v);
  REAL nl = saturate(dot(n, l)), nv = saturate(dot(n, v)) + REAL(0.001f), nh = saturate(dot(n, h)), vh = saturate(dot(v, h));
  REAL a = (REAL)(Rough * Rough);
  REAL3 f0 = (REAL3)lerp(0.04f, Base.rgb, Metal);
  REAL3 f = f0 + (1 - f0) * (REAL)pow(1 - vh, REAL(5));
#ifdef ANISOTROPIC
  REAL3 t = (REAL3)normalize(tangent.xyz), b = cross(n, t) * (REAL)tangent.w;
  REAL ax = a * (1 + (REAL)Aniso), ay = a * (1 - (REAL)Aniso);
  REAL3 d = REAL3(dot(t, h) / ax, dot(b, h) / ay, nh);
  REAL square = dot(d, d);
  REAL shine = 1 / (REAL(3.14159f) * ax * ay * square * square);
#else
  REAL shine = spread(nh, a * a);
#endif
  REAL3 color = f * shine * visible(nl, nv, a) + (REAL3)(Base.rgb * (1 - Metal) / 3.14159f) * (1 - f);
#ifdef COAT
  REAL fc = (REAL)(0.04f + 0.96f * pow(1 - vh, 5)) * (REAL)Coat;
  color = color * (1 - fc) + fc * spread(nh, REAL(0.01f)) * REAL(0.25f);
#endif
#ifdef SHEEN
  REAL sine = sqrt(saturate(1 - nh * nh));
  REAL power = 1 / max(a, REAL(0.07f));
  color += (REAL3)Sheen * ((2 + power) * pow(sine, power) / REAL(6.2832f)) / (4 * (nl + nv - nl * nv) + REAL(0.01f));
#endif
  return float4((float3)(color * nl) * Radiance, Base.a);
}
