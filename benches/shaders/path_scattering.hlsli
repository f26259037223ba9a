// Materials, lights, sky and medium of path_tracer.hlsl.

float balance(float own, float other) {
  return own * own / max(own * own + other * other, 1e-20f);
}

float3 schlick(float3 f0, float cosine) {
  float c = saturate(1 - cosine);
  return f0 + (1 - f0) * (c * c * c * c * c);
}

// Reflected share of unpolarized light; 1 for total reflection.
float dielectric(float cosine, float eta) {
  float squared = 1 - (1 - cosine * cosine) / (eta * eta);
  if (squared <= 0) {
    return 1;
  }
  float inside = sqrt(squared);
  float s = (cosine - eta * inside) / (cosine + eta * inside);
  float p = (inside - eta * cosine) / (inside + eta * cosine);
  return 0.5f * (s * s + p * p);
}

float ggx(float noh, float alpha) {
  float a2 = alpha * alpha;
  float d = noh * noh * (a2 - 1) + 1;
  return a2 / (PI * d * d);
}

float smith(float cosine, float alpha) {
  float a2 = alpha * alpha;
  return 2 * cosine / (cosine + sqrt(a2 + (1 - a2) * cosine * cosine));
}

float3 sampleHalf(float3 v, float alpha, float2 u) {
  float3 stretched = normalize(float3(alpha * v.xy, v.z));
  float phi = 2 * PI * u.x;
  float z = (1 - u.y) * (1 + stretched.z) - stretched.z;
  float r = sqrt(saturate(1 - z * z));
  float3 h = float3(r * cos(phi), r * sin(phi), z) + stretched;
  return normalize(float3(alpha * h.xy, max(h.z, 1e-4f)));
}

float3 sampleCosine(float2 u) {
  float phi = 2 * PI * u.x, r = sqrt(u.y);
  return float3(r * cos(phi), r * sin(phi), sqrt(1 - u.y));
}

// Value of all lobes, with the cosine, and the density of `scatter` for this direction.
float3 evaluate(Surface s, float3 v, float3 l, out float density) {
  float nol = dot(s.normal, l), nov = max(dot(s.normal, v), 1e-4f);
  density = 0;
  if (nol <= 0 || dot(s.geometric, l) <= 0) {
    return 0;
  }
  float3 h = normalize(v + l);
  float noh = saturate(dot(s.normal, h)), voh = saturate(dot(v, h));
  float d = ggx(noh, s.alpha);
  float specularDensity = smith(nov, s.alpha) * d / (4 * nov);
  float diffuseDensity = nol / PI;
  float specular = d * smith(nov, s.alpha) * smith(nol, s.alpha) / (4 * nov);
  switch (s.kind) {
    case MATERIAL_METAL:
      density = specularDensity;
      return schlick(s.color, voh) * specular;
    case MATERIAL_PLASTIC: {
      float f = dielectric(voh, s.index);
      float choice = 0.25f + 0.5f * dielectric(nov, s.index);
      density = lerp(diffuseDensity, specularDensity, choice);
      return f * specular + (1 - f) * (1 - dielectric(nol, s.index)) * s.color * diffuseDensity;
    }
    case MATERIAL_CLOTH: {
      float inverse = 1 / s.alpha;
      float fuzz = (2 + inverse) * pow(max(1 - noh * noh, 1e-4f), inverse * 0.5f) / (2 * PI);
      density = diffuseDensity;
      return s.color * diffuseDensity + s.sheen * fuzz * nol / (4 * (nol + nov - nol * nov));
    }
    case MATERIAL_SKIN: {
      // Two lobes of reflection over a diffuse one that is redder where it is flat.
      float second = ggx(noh, s.alpha * 0.5f) * smith(nov, s.alpha) * smith(nol, s.alpha) / (4 * nov);
      float f = dielectric(voh, s.index);
      float3 tinted = pow(s.color, lerp(float3(0.8f, 1.1f, 1.2f), 1, nol));
      density = lerp(diffuseDensity, specularDensity, 0.2f);
      return f * lerp(specular, second, 0.3f) + (1 - f) * tinted * diffuseDensity;
    }
    case MATERIAL_GLASS: {
      float f = dielectric(voh, s.isInside ? 1 / s.index : s.index);
      density = f * specularDensity;
      return f * specular;
    }
    default: {
      // Rough diffuse reflection is brighter at the border of a sphere than a cosine.
      float variance = s.alpha * s.alpha;
      float a = 1 - 0.5f * variance / (variance + 0.33f), b = 0.45f * variance / (variance + 0.09f);
      float3 flatL = l - s.normal * nol, flatV = v - s.normal * nov;
      float turned = max(dot(flatL, flatV) * rsqrt(max(dot(flatL, flatL) * dot(flatV, flatV), 1e-8f)), 0);
      float sines = sqrt(saturate((1 - nol * nol) * (1 - nov * nov))) / max(nol, nov);
      density = diffuseDensity;
      return s.color * (a + b * turned * sines) * diffuseDensity;
    }
  }
}

bool scatterGlass(Surface s, float3 local, inout uint state, float3 t, float3 b, out Scattered next) {
  float eta = s.isInside ? 1 / s.index : s.index;
  float2 u = random2(state);
  float3 h = s.alpha > 0.01f ? sampleHalf(local, s.alpha, u) : float3(0, 0, 1);
  float f = dielectric(dot(local, h), eta);
  float3 l;
  next.passesThrough = random(state) >= f;
  if (next.passesThrough) {
    l = refract(-local, h, 1 / eta);
    next.weight = s.isInside ? 1 : s.color;
  } else {
    l = reflect(-local, h);
    next.weight = 1;
  }
  next.density = 0;
  next.weight *= smith(max(abs(l.z), 1e-4f), s.alpha);
  next.direction = normalize(t * l.x + b * l.y + s.normal * l.z);
  return (l.z < 0) == next.passesThrough && any(l != 0);
}

// Chooses a lobe and a direction; false if the path ends.
bool scatter(Surface s, float3 v, inout uint state, out Scattered next) {
  float3 t, b;
  makeFrame(s.normal, t, b);
  float3 local = float3(dot(v, t), dot(v, b), max(dot(v, s.normal), 1e-4f));
  if (s.kind == MATERIAL_GLASS) {
    return scatterGlass(s, local, state, t, b, next);
  }
  next.passesThrough = false;
  next.weight = 0;
  next.density = 0;
  float choice = 0;
  switch (s.kind) {
    case MATERIAL_METAL: choice = 1; break;
    case MATERIAL_PLASTIC: choice = 0.25f + 0.5f * dielectric(local.z, s.index); break;
    case MATERIAL_SKIN: choice = 0.2f; break;
    default: break;
  }
  float2 u = random2(state);
  float3 l;
  if (random(state) < choice) {
    l = reflect(-local, sampleHalf(local, s.alpha, u));
  } else {
    l = sampleCosine(u);
  }
  next.direction = t * l.x + b * l.y + s.normal * l.z;
  float3 value = evaluate(s, v, next.direction, next.density);
  if (next.density <= 1e-8f) {
    return false;
  }
  next.weight = value / next.density;
  return any(next.weight > 0);
}

float2 skyUv(float3 d) {
  return float2(atan2(d.z, d.x) / (2 * PI) + 0.5f, acos(clamp(d.y, -1, 1)) / PI);
}

float3 skyLight(float3 d) {
  float3 light = Sky.SampleLevel(Wrap, skyUv(d), 0).rgb * SkyIntensity;
  return dot(d, SunDirection) > SunCosine ? light + SunColor : light;
}

float skyDensity(float3 d) {
  uint width, height;
  Sky.GetDimensions(width, height);
  uint2 at = min(uint2(skyUv(d) * float2(width, height)), uint2(width, height) - 1);
  float sine = sqrt(max(1 - d.y * d.y, 1e-6f));
  return SkyRows[at.y].y * SkyColumns[at.y * width + at.x].y * width * height / (2 * PI * PI * sine);
}

// The first entry whose cumulated probability exceeds `u`.
uint searchRow(float u, uint count) {
  uint low = 0, high = count - 1;
  while (low < high) {
    uint middle = (low + high) >> 1;
    if (SkyRows[middle].x <= u) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

uint searchColumn(float u, uint start, uint count) {
  uint low = 0, high = count - 1;
  while (low < high) {
    uint middle = (low + high) >> 1;
    if (SkyColumns[start + middle].x <= u) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

float3 sampleSky(inout uint state, out float density) {
  uint width, height;
  Sky.GetDimensions(width, height);
  float2 u = random2(state);
  uint row = searchRow(u.x, height);
  uint column = searchColumn(u.y, row * width, width);
  float2 inside = random2(state);
  float phi = ((column + inside.x) / width - 0.5f) * 2 * PI;
  float theta = (row + inside.y) / height * PI;
  float3 d = float3(sin(theta) * cos(phi), cos(theta), sin(theta) * sin(phi));
  density = skyDensity(d);
  return d;
}

float3 sampleSun(inout uint state) {
  float2 u = random2(state);
  float z = 1 - u.x * (1 - SunCosine), r = sqrt(saturate(1 - z * z)), phi = 2 * PI * u.y;
  float3 t, b;
  makeFrame(SunDirection, t, b);
  return t * (r * cos(phi)) + b * (r * sin(phi)) + SunDirection * z;
}

uint pickLight(float u) {
  uint low = 0, high = LightCount - 1;
  while (low < high) {
    uint middle = (low + high) >> 1;
    if (Lights[middle].cdf <= u) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

float emitterDensity(Hit hit, Surface s, Ray ray) {
  Triangle t = Triangles[hit.triangleIndex];
  if (!(t.flags & 2)) {
    return 0;
  }
  Light light = Lights[t.flags >> 8];
  float cosine = abs(dot(s.geometric, ray.direction));
  return light.pick * hit.distance * hit.distance / max(light.area * cosine, 1e-6f);
}

bool isVisible(float3 from, float3 direction, float far) {
  Ray ray;
  ray.origin = from;
  ray.direction = direction;
  ray.far = far;
  Hit hit;
  return !trace(ray, 1, true, hit);
}

// One sample of the sun, the sky or a triangle, with the probability that it was chosen.
bool sampleEmitter(float3 position, inout uint state, out float3 direction, out float far, out float3 light,
                   out float density) {
  float choice = random(state);
  far = 1e20f;
  if (choice < 0.25f) {
    direction = sampleSun(state);
    light = SunColor;
    density = 0.25f / (2 * PI * (1 - SunCosine));
    return true;
  }
  if (choice < 0.5f || LightCount == 0) {
    direction = sampleSky(state, density);
    light = Sky.SampleLevel(Wrap, skyUv(direction), 0).rgb * SkyIntensity;
    density *= LightCount == 0 ? 0.75f : 0.25f;
    return density > 0;
  }
  Light chosen = Lights[pickLight((choice - 0.5f) * 2)];
  float2 u = random2(state);
  u = u.x + u.y > 1 ? 1 - u : u;
  float3 away = chosen.corner + chosen.edge1 * u.x + chosen.edge2 * u.y - position;
  float squared = dot(away, away);
  direction = away * rsqrt(squared);
  far = sqrt(squared) * 0.999f;
  float cosine = -dot(normalize(cross(chosen.edge1, chosen.edge2)), direction);
  cosine = chosen.twoSided ? abs(cosine) : cosine;
  light = chosen.color;
  density = 0.5f * chosen.pick * squared / max(chosen.area * cosine, 1e-6f);
  return cosine > 0;
}

float3 sampleLights(Surface s, float3 v, inout uint state) {
  float3 direction, light;
  float far, density, own;
  if (!sampleEmitter(s.position, state, direction, far, light, density)) {
    return 0;
  }
  float3 value = evaluate(s, v, direction, own);
  if (own <= 0 || !any(value > 0)) {
    return 0;
  }
  if (!isVisible(s.position + s.geometric * 1e-4f, direction, far)) {
    return 0;
  }
  float air = exp(-MediumDensity * min(far, 1e5f));
  return light * value * (balance(density, own) * air / density);
}

float phase(float cosine) {
  float g = MediumAnisotropy;
  float d = 1 + g * g - 2 * g * cosine;
  return (1 - g * g) / (4 * PI * d * sqrt(d));
}

float3 mediumLight(float3 at, float3 ray, inout uint state) {
  float3 direction, light;
  float far, density;
  if (!sampleEmitter(at, state, direction, far, light, density) || !isVisible(at, direction, far)) {
    return 0;
  }
  float own = phase(dot(ray, direction));
  return light * (own * balance(density, own) / density);
}

float3 sampleMedium(float3 ray, float2 u) {
  float g = MediumAnisotropy;
  float cosine = 1 - 2 * u.x;
  if (abs(g) > 1e-3f) {
    float s = (1 - g * g) / (1 - g + 2 * g * u.x);
    cosine = (1 + g * g - s * s) / (2 * g);
  }
  float r = sqrt(saturate(1 - cosine * cosine)), phi = 2 * PI * u.y;
  float3 t, b;
  makeFrame(ray, t, b);
  return t * (r * cos(phi)) + b * (r * sin(phi)) + ray * cosine;
}
