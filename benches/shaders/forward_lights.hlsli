// Lobes, shadows and lights of forward_material.hlsl.

float distributionGgx(float noh, float alpha) {
  float a2 = alpha * alpha;
  return a2 / (PI * square(noh * noh * (a2 - 1) + 1));
}

float distributionAnisotropic(float noh, float toh, float boh, float2 alpha) {
  float a2 = alpha.x * alpha.y;
  float3 d = float3(alpha.y * toh, alpha.x * boh, a2 * noh);
  return a2 * square(a2 / max(dot(d, d), 1e-7f)) / PI;
}

float visibilityAnisotropic(Surface s, float nov, float nol, float3 v, float3 l) {
  float lambdaV = nol * length(float3(s.anisotropic * float2(dot(s.tangent, v), dot(s.binormal, v)), nov));
  float lambdaL = nov * length(float3(s.anisotropic * float2(dot(s.tangent, l), dot(s.binormal, l)), nol));
  return 0.5f / max(lambdaV + lambdaL, 1e-5f);
}

float visibilityGgx(float nov, float nol, float alpha) {
  float a2 = alpha * alpha;
  float v = nol * sqrt(nov * nov * (1 - a2) + a2);
  float l = nov * sqrt(nol * nol * (1 - a2) + a2);
  return 0.5f / max(v + l, 1e-5f);
}

float distributionCharlie(float noh, float roughness) {
  float inverse = 1 / max(roughness, 0.05f);
  return (2 + inverse) * pow(max(1 - noh * noh, 1e-4f), inverse * 0.5f) / (2 * PI);
}

// Interference in a thin film, by the phase for three wavelengths.
float3 filmFresnel(float3 f0, float cosine) {
  float inside = sqrt(1 - (1 - cosine * cosine) / square(FilmIndex));
  float path = 2 * FilmIndex * FilmThickness * inside;
  float3 phase = 2 * PI * path / float3(650, 510, 475);
  float r = square((FilmIndex - 1) / (FilmIndex + 1));
  float3 r12 = r + (1 - r) * pow5(1 - cosine);
  float3 r23 = f0;
  float3 both = 2 * sqrt(r12 * r23) * cos(phase);
  return saturate((r12 + r23 + both) / (1 + r12 * r23 + both));
}

float3 fresnel(float3 f0, float cosine) {
  if (Features & FEATURE_FILM) {
    return filmFresnel(f0, cosine);
  }
  return f0 + (saturate(50 * f0.g) - f0) * pow5(1 - cosine);
}

// All lobes for one direction of light; the specular lobes may have a direction of their own.
float3 shade(Surface s, float3 v, float3 l, float3 specularL, float widening) {
  float nov = max(dot(s.normal, v), 1e-4f);
  float nol = dot(s.normal, l);
  float3 result = 0;
  if (Features & FEATURE_SUBSURFACE) {
    // Light wraps around, and shines through thin parts.
    float wrapped = saturate((nol + 0.5f) / 2.25f);
    float through = pow(saturate(dot(v, -normalize(l + s.normal * 0.3f))), 6) * s.thickness;
    result += SubsurfaceColor * (wrapped + through) * SubsurfaceRadius / PI;
  }
  nol = saturate(nol);
  if (nol <= 0) {
    return result;
  }
  float3 h = normalize(v + specularL);
  float noh = saturate(dot(s.normal, h));
  float loh = saturate(dot(specularL, h));
  float specularNol = max(dot(s.normal, specularL), 1e-4f);
  float alpha = saturate(square(s.roughness) + widening);
  float3 f = fresnel(s.f0, loh);
  float specular;
  if (Features & FEATURE_ANISOTROPY) {
    specular = distributionAnisotropic(noh, dot(s.tangent, h), dot(s.binormal, h), s.anisotropic) *
               visibilityAnisotropic(s, nov, specularNol, v, specularL);
  } else {
    specular = distributionGgx(noh, alpha) * visibilityGgx(nov, specularNol, alpha);
    specular *= square(square(s.roughness) / max(alpha, 1e-3f));
  }
  float grazing = 0.5f + 2 * loh * loh * s.roughness;
  float diffuse = (1 + (grazing - 1) * pow5(1 - nol)) * (1 + (grazing - 1) * pow5(1 - nov)) / PI;
  float3 lobes = s.albedo * (1 - s.metallic) * (1 - f) * diffuse + f * specular;
  if (Features & FEATURE_SHEEN) {
    float d = distributionCharlie(noh, SheenRoughness);
    float strongest = max(s.sheen.r, max(s.sheen.g, s.sheen.b));
    lobes = lobes * (1 - strongest * 0.5f) + s.sheen * d / (4 * (nol + nov - nol * nov));
  }
  result += lobes * nol;
  if (Features & FEATURE_COAT) {
    float coatNol = saturate(dot(s.coatNormal, specularL));
    float coatNoh = saturate(dot(s.coatNormal, h));
    float coatF = (0.04f + 0.96f * pow5(1 - loh)) * s.coat;
    float lobe = distributionGgx(coatNoh, s.coatAlpha) * 0.25f / max(loh * loh, 0.01f);
    result = result * square(1 - coatF) + coatF * lobe * coatNol;
  }
  return result;
}

// Blockers are searched first, then filtered with the size of their half shadow.
float cascadeShadow(uint cascade, float3 world, float3 normal, float angle) {
  float3 biased = world + normal * CascadeTexels[cascade] * 2;
  float4 clip = mul(Cascades[cascade], float4(biased, 1));
  float3 at = float3(clip.x * 0.5f + 0.5f, 0.5f - clip.y * 0.5f, clip.z);
  if (any(at.xy <= 0) || any(at.xy >= 1) || at.z >= 1) {
    return 1;
  }
  float search = SunAngle / CascadeTexels[cascade] / 2048;
  float blockers = 0, sum = 0;
  for (uint i = 0; i < 8; ++i) {
    float depth = SunShadows.SampleLevel(Linear, float3(at.xy + vogel(i, 8, angle) * search, cascade), 0);
    if (depth < at.z) {
      sum += depth;
      blockers += 1;
    }
  }
  if (blockers == 0) {
    return 1;
  }
  float penumbra = clamp((at.z - sum / blockers) * search * 40, 1.0f / 2048, search);
  float lit = 0;
  [unroll]
  for (uint j = 0; j < 16; ++j) {
    float2 offset = vogel(j, 16, angle) * penumbra;
    lit += SunShadows.SampleCmpLevelZero(Compare, float3(at.xy + offset, cascade), at.z);
  }
  return lit / 16;
}

float sunShadow(float3 world, float3 normal, float depth, float noise) {
  uint cascade = CASCADES;
  [unroll]
  for (int i = CASCADES - 1; i >= 0; --i) {
    cascade = depth < CascadeEnds[i] ? i : cascade;
  }
  if (cascade == CASCADES) {
    return 1;
  }
  // Between two cascades, one is chosen by noise.
  float start = cascade == 0 ? 0 : CascadeEnds[cascade - 1];
  float along = (depth - start) / (CascadeEnds[cascade] - start);
  if (along > 0.85f + 0.15f * noise && cascade + 1 < CASCADES) {
    ++cascade;
  }
  return cascadeShadow(cascade, world, normal, noise * 2 * PI);
}

float localShadow(Light light, float3 world, float3 normal, float3 toLight, float angle) {
  float3 biased = world + normal * 0.03f;
  if (light.kind == 1) {
    float4 clip = mul(SpotMatrices[light.shadow], float4(biased, 1));
    float3 at = clip.xyz / clip.w;
    float2 uv = float2(at.x * 0.5f + 0.5f, 0.5f - at.y * 0.5f);
    float lit = 0;
    [unroll]
    for (uint i = 0; i < 8; ++i) {
      float2 offset = vogel(i, 8, angle) * (3.0f / 1024);
      lit += SpotShadows.SampleCmpLevelZero(Compare, float3(uv + offset, light.shadow), at.z);
    }
    return lit / 8;
  }
  float3 ray = biased - light.position;
  float depth = length(ray) / light.range - 0.002f;
  float3 side = normalize(cross(ray, float3(0.3f, 0.9f, 0.1f)));
  float3 up = cross(normalize(ray), side);
  float lit = 0;
  [unroll]
  for (uint i = 0; i < 6; ++i) {
    float2 offset = vogel(i, 6, angle) * 0.02f * length(ray);
    float3 direction = ray + side * offset.x + up * offset.y;
    lit += PointShadows.SampleCmpLevelZero(Compare, float4(direction, light.shadow), depth);
  }
  return lit / 6;
}

// Solid angle and mean cosine of a rectangle, by its corners.
float rectangleLight(Light light, float3 world, float3 normal, float3 reflected, out float3 specularPoint) {
  float3 right = cross(light.axis, light.up);
  float3 corners[4];
  [unroll]
  for (uint i = 0; i < 4; ++i) {
    float x = (i & 1) ? 1 : -1, y = (i & 2) ? 1 : -1;
    corners[i ^ (i >> 1)] = light.position + right * light.width * x + light.up * light.height * y - world;
  }
  float3 sum = 0;
  [unroll]
  for (uint j = 0; j < 4; ++j) {
    float3 a = normalize(corners[j]), b = normalize(corners[(j + 1) & 3]);
    float cosine = clamp(dot(a, b), -0.9999f, 0.9999f);
    sum += cross(a, b) * (acos(cosine) * rsqrt(1 - cosine * cosine));
  }
  float plane = dot(reflected, light.axis);
  float3 hit = light.position - world;
  if (abs(plane) > 1e-3f) {
    hit = reflected * max(dot(hit, light.axis) / plane, 0.01f);
  }
  float3 local = hit + world - light.position;
  specularPoint = light.position + right * clamp(dot(local, right), -light.width, light.width) +
                  light.up * clamp(dot(local, light.up), -light.height, light.height);
  return dot(light.position - world, light.axis) < 0 ? max(abs(dot(sum, normal)) * 0.5f, 0) : 0;
}

float3 localLight(Light light, Surface s, float3 world, float3 v, float angle) {
  float3 away = light.position - world;
  float squared = dot(away, away);
  if (squared > light.range * light.range) {
    return 0;
  }
  float window = square(saturate(1 - square(squared / square(light.range))));
  float3 l = away * rsqrt(squared);
  float3 specularL = l;
  float strength = window / max(squared, 0.01f);
  float widening = 0;
  float3 color = light.color;
  float3 reflected = reflect(-v, s.normal);
  switch (light.kind) {
    case 0: {
      // A sphere: the point nearest to the reflected ray.
      float3 nearest = away - reflected * dot(away, reflected);
      float3 spot = away - nearest * saturate(light.width / max(length(nearest), 1e-4f));
      specularL = normalize(spot);
      widening = light.width / (2 * sqrt(squared));
      break;
    }
    case 1: {
      float cone = square(saturate(dot(-l, light.axis) * light.cone.x + light.cone.y));
      if (cone <= 0) {
        return 0;
      }
      strength *= cone;
      if (light.cookie >= 0) {
        float3 right = cross(light.axis, light.up);
        float2 uv = float2(dot(-l, right), dot(-l, light.up)) / max(dot(-l, light.axis), 0.01f);
        color *= Cookies.SampleLevel(Linear, float3(uv * 0.5f + 0.5f, light.cookie), 0).rgb;
      }
      break;
    }
    case 2: {
      float3 a = away - light.axis * light.width, b = away + light.axis * light.width;
      float la = length(a), lb = length(b);
      float3 span = b - a;
      float t = dot(reflected, a) * dot(reflected, span) - dot(a, span);
      t = saturate(t / max(dot(span, span) - square(dot(reflected, span)), 1e-4f));
      specularL = normalize(a + span * t);
      strength = window * 2 / max(la * lb + dot(a, b), 0.01f);
      widening = light.width / (4 * la);
      break;
    }
    default: {
      float3 spot;
      strength = rectangleLight(light, world, s.normal, reflected, spot) * window;
      specularL = normalize(spot - world);
      widening = 0.1f * light.width / sqrt(squared);
      break;
    }
  }
  if (strength <= 1e-4f) {
    return 0;
  }
  float shadow = 1;
  if (light.shadow >= 0) {
    shadow = localShadow(light, world, s.normal, l, angle);
    if (shadow <= 0) {
      return 0;
    }
  }
  return shade(s, v, l, specularL, widening) * color * (strength * shadow);
}
