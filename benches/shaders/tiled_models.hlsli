// Models of shading and kinds of light of tiled_lighting.hlsl.

// Reflection and the paths through a hair: off the front, through, and off the back.
float3 hairLobes(Pixel p, float3 l, float backlit) {
  float3 v = p.view, tangent = p.normal;  // The normal buffer has the direction of the hair.
  float sinL = dot(tangent, l), sinV = dot(tangent, v), vol = dot(v, l);
  float cosHalf = cos(0.5f * abs(asin(clamp(sinV, -1, 1)) - asin(clamp(sinL, -1, 1))));
  float3 flatL = l - sinL * tangent, flatV = v - sinV * tangent;
  float cosPhi = dot(flatL, flatV) * rsqrt(dot(flatL, flatL) * dot(flatV, flatV) + 1e-4f);
  float cosHalfPhi = sqrt(saturate(0.5f + 0.5f * cosPhi));
  float index = 1.19f / cosHalf + 0.36f * cosHalf;
  float3 sum = 0;
  static const float Shifts[3] = {-0.07f, 0.035f, 0.14f};
  static const float Widths[3] = {1, 0.5f, 2};
  [unroll]
  for (uint i = 0; i < 3; ++i) {
    float width = p.alpha * Widths[i];
    float x = sinL + sinV - Shifts[i];
    float longitudinal = exp(-0.5f * x * x / (width * width)) / (sqrt(2 * PI) * width);
    float azimuthal;
    float3 passed = 1;
    float f;
    if (i == 0) {
      azimuthal = 0.25f * cosHalfPhi;
      f = schlick(0.0465f, sqrt(saturate(0.5f + 0.5f * vol))).x;
    } else if (i == 1) {
      float a = 1 / index;
      float h = cosHalfPhi * (1 + a * (0.6f - 0.8f * cosPhi));
      f = square(1 - schlick(0.0465f, cosHalf * sqrt(saturate(1 - h * h))).x) * backlit;
      passed = pow(max(p.color, 1e-3f), 0.5f * sqrt(saturate(1 - square(h * a))) / cosHalf);
      azimuthal = exp(-3.65f * cosPhi - 3.98f);
    } else {
      f = schlick(0.0465f, cosHalf * 0.5f).x;
      f = square(1 - f) * f;
      passed = pow(max(p.color, 1e-3f), 0.8f / cosHalf);
      azimuthal = exp(17 * cosPhi - 16.78f);
    }
    sum += longitudinal * azimuthal * f * passed;
  }
  // What was scattered by many hairs.
  float3 fake = normalize(v - tangent * sinV);
  float wrapped = saturate((dot(fake, l) + 1) / 4);
  float luma = dot(p.color, float3(0.3f, 0.6f, 0.1f));
  float3 tint = pow(max(p.color / max(luma, 1e-3f), 1e-3f), 1 - backlit);
  return sum + sqrt(p.color) * wrapped * tint * p.custom.b / PI;
}

// All light from one direction; `specularL` is that to the nearest point of a source's sphere.
template <uint MODEL>
void addLight(Pixel p, float3 l, float3 specularL, float widening, float3 light, float shadow, inout Lit sum) {
  if (MODEL == MODEL_HAIR) {
    sum.specular += hairLobes(p, l, shadow) * light * lerp(0.3f, 1, shadow);
    return;
  }
  float3 v = p.view, n = p.normal;
  float nol = dot(n, l);
  if (MODEL == MODEL_SKIN) {
    // The table has the diffuse profile by cosine and curvature; thin parts let light through.
    float3 profile = SkinTable.SampleLevel(Linear, float2(nol * 0.5f + 0.5f, p.custom.r), 0).rgb;
    float thin = exp(-p.custom.g * 8) * saturate(0.3f - nol);
    sum.diffuse += light * (profile * shadow + float3(1, 0.3f, 0.2f) * thin) / PI;
  }
  nol = saturate(nol);
  if (nol <= 0 || shadow <= 0) {
    return;
  }
  light *= shadow;
  float nov = max(dot(n, v), 1e-3f);
  float3 h = normalize(v + specularL);
  float noh = saturate(dot(n, h)), voh = saturate(dot(v, h));
  float alpha = saturate(p.alpha + widening);
  float normalization = square(p.alpha / max(alpha, 1e-3f));
  float3 f = schlick(p.f0, voh);
  float3 specular = f * ggx(noh, alpha) * visibility(nov, nol, alpha) * normalization;
  float3 diffuse = p.diffuse / PI;

  if (MODEL == MODEL_SKIN) {
    // Oil has a second and sharper lobe.
    float sharp = max(alpha * 0.45f, 0.02f);
    specular = lerp(specular, f * ggx(noh, sharp) * visibility(nov, nol, sharp), 0.25f);
    diffuse = 0;
  } else if (MODEL == MODEL_COAT) {
    float strength = p.custom.x, coatAlpha = square(max(p.custom.y, 0.03f));
    float3 coatN = unpackNormal(p.custom.zw);
    float coatNoh = saturate(dot(coatN, h)), coatNol = saturate(dot(coatN, specularL));
    float coatF = schlick(0.04f, voh).x * strength;
    // The path through the coat is longer at grazing angles, and takes colour on both ways.
    float path = 1 / max(coatNol, 0.2f) + 1 / max(nov, 0.2f);
    float3 absorbed = lerp(1, pow(max(p.color, 1e-3f), 0.25f * path), strength);
    float lobe = ggx(coatNoh, coatAlpha) * visibility(nov, max(coatNol, 1e-3f), coatAlpha);
    specular = specular * square(1 - coatF) * absorbed + coatF * lobe * coatNol / max(nol, 0.05f);
    diffuse *= (1 - coatF) * absorbed;
  }
  diffuse *= 1 - max(f.r, max(f.g, f.b)) * 0.5f;
  sum.diffuse += diffuse * light * nol;
  sum.specular += specular * light * nol;
}

// A short march in screen space finds contacts that shadow maps miss.
float contactShadow(Pixel p, float3 l) {
  float3 start = p.world + p.normal * 0.01f;
  float shadow = 1;
  for (uint i = 0; i < ContactSteps; ++i) {
    float3 world = start + l * (ContactLength * (i + p.noise) / ContactSteps);
    float3 q = mul(View, float4(world, 1)).xyz;
    float4 clip = mul(Projection, float4(q, 1));
    int2 texel = int2((clip.xy / clip.w * float2(0.5f, -0.5f) + 0.5f) * Size);
    if (any(texel < 0) || any(texel >= int2(Size))) {
      break;
    }
    float4 there = mul(InverseProjection, float4(0, 0, Depth.Load(int3(texel, 0)), 1));
    float behind = q.z - there.z / there.w;
    if (behind > 0.005f && behind < 0.1f) {
      shadow = i / float(ContactSteps);
      break;
    }
  }
  return shadow;
}

float sunShadow(Pixel p) {
  float3 base = mul(ShadowMatrix, float4(p.world + p.normal * 0.02f, 1)).xyz;
  [loop]
  for (uint cascade = 0; cascade < 4; ++cascade) {
    float3 at = base * CascadeScales[cascade].xyz + CascadeOffsets[cascade].xyz;
    if (any(at.xy < 0.01f) || any(at.xy > 0.99f)) {
      continue;
    }
    float sum = 0;
    float sine, cosine;
    sincos(p.noise * 2 * PI, sine, cosine);
    [unroll]
    for (uint i = 0; i < 9; ++i) {
      float2 offset = float2(float(i % 3) - 1, float(i / 3) - 1);
      offset = float2(offset.x * cosine - offset.y * sine, offset.x * sine + offset.y * cosine);
      sum += SunShadows.SampleCmpLevelZero(Compare, float3(at.xy + offset * CascadeScales[cascade].w, cascade), at.z);
    }
    return sum / 9;
  }
  return 1;
}

template <uint MODEL>
void sunLight(Pixel p, float shadow, inout Lit sum) {
  float facing = dot(p.normal, SunDirection);
  if (MODEL != MODEL_HAIR && MODEL != MODEL_SKIN && facing <= 0) {
    return;
  }
  float3 r = reflect(-p.view, p.normal);
  float3 toDisk = r - SunDirection * dot(r, SunDirection);
  float3 l = normalize(SunDirection + toDisk * min(SunSize * rsqrt(max(dot(toDisk, toDisk), 1e-6f)), 1));
  addLight<MODEL>(p, SunDirection, l, SunSize * 0.25f, SunColor, shadow, sum);
}

template <uint MODEL>
void pointLight(Pixel p, Light light, inout Lit sum) {
  float3 away = light.position - p.world;
  float squared = dot(away, away);
  float window = square(saturate(1 - square(squared / square(light.range))));
  if (window <= 0) {
    return;
  }
  float inverse = rsqrt(max(squared, 1e-6f));
  float3 l = away * inverse;
  float strength = window / (squared + square(light.sourceRadius) + 1e-3f);
  if (light.coneScale > 0) {
    strength *= square(saturate(dot(-l, light.direction) * light.coneScale + light.coneOffset));
    if (strength <= 0) {
      return;
    }
  }
  float shadow = 1;
  if (light.shadow != 0) {
    float3 ray = -away + p.normal * 0.02f;
    float3 side = normalize(cross(ray, float3(0.31f, 0.87f, 0.12f))), up = cross(side, l);
    float depth = length(ray) / light.range - 0.003f;
    shadow = 0;
    [loop]
    for (uint i = 0; i < 4; ++i) {
      float sine, cosine;
      sincos((i + p.noise) * (PI / 2), sine, cosine);
      float3 direction = ray + (side * sine + up * cosine) * light.sourceRadius * 0.5f;
      shadow += LightShadows.SampleCmpLevelZero(Compare, float4(direction, light.shadow - 1), depth) * 0.25f;
    }
  }
  float3 r = reflect(-p.view, p.normal);
  float3 nearest = r * dot(away, r) - away;
  float reach = light.sourceRadius * rsqrt(max(dot(nearest, nearest), 1e-6f));
  float3 specularL = normalize(away + nearest * saturate(reach));
  Lit own;
  own.diffuse = 0;
  own.specular = 0;
  float widening = saturate(light.sourceRadius * inverse * 0.5f);
  addLight<MODEL>(p, l, specularL, widening, light.color * strength, shadow, own);
  sum.diffuse += own.diffuse;
  sum.specular += own.specular * light.specularScale;
}

// Integral over a polygon of a cosine lobe, after the matrix made it out of the real lobe.
float3 edgeIntegral(float3 a, float3 b) {
  float x = dot(a, b), y = abs(x);
  float t = (0.8543985f + (0.4965155f + 0.0145206f * y) * y) / (3.417594f + (4.1616724f + y) * y);
  float theta = x > 0 ? t : 0.5f * rsqrt(max(1 - x * x, 1e-7f)) - t;
  return cross(a, b) * theta;
}

float polygonIntegral(float3 corners[4], bool twoSided) {
  float3 sum = 0;
  [unroll]
  for (uint i = 0; i < 4; ++i) {
    sum += edgeIntegral(corners[i], corners[(i + 1) & 3]);
  }
  float size = length(sum);
  float z = twoSided ? abs(sum.z) : sum.z;
  // A sphere of the same form factor accounts for what is below the horizon.
  return max((size * size + z) / (size + 1), 0);
}

template <uint MODEL>
void rectangleLight(Pixel p, Rectangle r, inout Lit sum) {
  float3 away = r.center - p.world;
  float window = square(saturate(1 - square(dot(away, away) / square(r.range))));
  if (window <= 0) {
    return;
  }
  float nov = max(dot(p.normal, p.view), 1e-3f);
  float3 t = normalize(p.view - p.normal * nov), b = cross(p.normal, t);
  float3x3 frame = float3x3(t, b, p.normal);
  float2 uv = float2(p.roughness, sqrt(1 - nov)) * (63.0f / 64) + 0.5f / 64;
  float4 m = LtcMatrices.SampleLevel(Linear, uv, 0), scales = LtcScales.SampleLevel(Linear, uv, 0);
  float3x3 toLobe = float3x3(m.x, 0, m.z, 0, 1, 0, m.y, 0, m.w);
  float3 flat[4], bent[4];
  [unroll]
  for (uint i = 0; i < 4; ++i) {
    float x = i == 1 || i == 2 ? 1 : -1, y = i >= 2 ? 1 : -1;
    float3 corner = mul(frame, away + r.halfRight * x + r.halfUp * y);
    flat[i] = normalize(corner);
    bent[i] = normalize(mul(toLobe, corner));
  }
  float3 color = r.color * window;
  if (r.texture != 0) {
    float3 axis = normalize(cross(r.halfRight, r.halfUp)), mirrored = reflect(-p.view, p.normal);
    float3 hit = mirrored * (dot(away, axis) / min(dot(mirrored, axis), -1e-3f)) - away;
    float2 at = float2(dot(hit, r.halfRight) / dot(r.halfRight, r.halfRight),
                       dot(hit, r.halfUp) / dot(r.halfUp, r.halfUp));
    color *= RectangleTextures.SampleLevel(Linear, float3(at * 0.5f + 0.5f, r.texture - 1), p.roughness * 8).rgb;
  }
  if (MODEL == MODEL_HAIR) {
    addLight<MODEL>(p, normalize(away), normalize(away), 0.2f, color * polygonIntegral(flat, r.twoSided), 1, sum);
    return;
  }
  float diffuse = polygonIntegral(flat, r.twoSided);
  float3 specular = (p.f0 * scales.x + (1 - p.f0) * scales.y) * polygonIntegral(bent, r.twoSided);
  if (MODEL == MODEL_COAT) {
    float f = schlick(0.04f, nov).x * p.custom.x;
    specular = specular * (1 - f) + f * polygonIntegral(flat, r.twoSided);
    diffuse *= 1 - f;
  }
  float3 tint = MODEL == MODEL_SKIN ? float3(1, 0.85f, 0.8f) : p.diffuse;
  sum.diffuse += color * tint * diffuse;
  sum.specular += color * specular;
}

float3 irradiance(float3 n) {
  float4 a = float4(n, 1), b = n.xyzz * n.yzzx;
  float3 first = float3(dot(Harmonics[0], a), dot(Harmonics[1], a), dot(Harmonics[2], a));
  float3 second = float3(dot(Harmonics[3], b), dot(Harmonics[4], b), dot(Harmonics[5], b));
  return max(first + second + Harmonics[6].rgb * (n.x * n.x - n.y * n.y), 0);
}

float3 reflectionOf(float3 world, float3 direction, float roughness) {
  float3 sum = 0;
  float left = 1;
  uint count = min(ProbeListCount, MAX_PROBES);
  for (uint i = 0; i < count && left > 0.01f; ++i) {
    Probe probe = Probes[ProbeList[i]];
    float3 local = world - probe.center;
    float along = dot(local, direction), inside = dot(local, local) - square(probe.range);
    if (inside >= 0) {
      continue;
    }
    float3 bent = local + direction * (sqrt(along * along - inside) - along);
    float weight = left * saturate((1 - length(local) / probe.range) * 4);
    sum += probe.color * ProbeTextures.SampleLevel(Linear, float4(bent, probe.slice), roughness * 7).rgb * weight;
    left -= weight;
  }
  return sum + ProbeTextures.SampleLevel(Linear, float4(direction, 0), roughness * 7).rgb * left;
}

template <uint MODEL>
void ambientLight(Pixel p, float3 mirrored, inout Lit sum) {
  float nov = max(dot(p.normal, p.view), 1e-3f);
  float3 occlusion = p.occlusion / (1 - p.color * (1 - p.occlusion));
  if (MODEL == MODEL_HAIR) {
    float3 fake = normalize(p.view - p.normal * dot(p.view, p.normal));
    sum.specular += irradiance(fake) * hairLobes(p, fake, 0.5f) * 2 * occlusion * AmbientStrength;
    return;
  }
  float2 table = BrdfTable.SampleLevel(Linear, float2(nov, p.roughness), 0).xy;
  float3 single = p.f0 * table.x + table.y;
  float3 energy = 1 + p.f0 * (1 / max(table.x + table.y, 0.05f) - 1);
  float specularOcclusion = saturate(pow(nov + p.occlusion, exp2(-16 * p.roughness - 1)) - 1 + p.occlusion);
  float3 specular = mirrored * single * energy * specularOcclusion;
  float3 light = irradiance(p.normal);
  float3 diffuse = light * p.diffuse * occlusion;
  if (MODEL == MODEL_SKIN) {
    float3 soft = irradiance(normalize(p.normal + p.view * 0.3f));
    diffuse = lerp(light, soft, float3(0.6f, 0.3f, 0.2f)) * occlusion;
  } else if (MODEL == MODEL_COAT) {
    float3 coatN = unpackNormal(p.custom.zw);
    float f = schlick(0.04f, saturate(dot(coatN, p.view))).x * p.custom.x;
    float3 coat = reflectionOf(p.world, reflect(-p.view, coatN), p.custom.y);
    specular = lerp(specular, coat * specularOcclusion, f);
    diffuse *= 1 - f;
  }
  sum.diffuse += diffuse * AmbientStrength;
  sum.specular += specular * AmbientStrength;
}
