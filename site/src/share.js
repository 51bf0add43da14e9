// Items in links: #i=..., the compressed JSON of premise, claim, wording, reading and policy, and after
// them of the names that are listed, and an object with the text of a phrase file.

const pipe = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

const MOST = 1 << 20;

export async function encode({ premise, claim, domain, spatial, policy, names, phraseText = "" }) {
  const last = phraseText ? [{ phrases: phraseText }] : [];
  const text = JSON.stringify([premise, claim, domain, spatial, policy, ...names, ...last]);
  const packed = await pipe(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const letters = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  return `#i=${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** The item of a link; null if it has none, or a damaged one. */
export async function decode(hash) {
  if (!hash.startsWith("#i=") || hash.length > MOST) return null;
  try {
    const letters = atob(hash.slice(3).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const text = new TextDecoder().decode(await pipe(packed, new DecompressionStream("deflate-raw")));
    const values = JSON.parse(text);
    if (!Array.isArray(values)) return null;
    const phrases = typeof values.at(-1)?.phrases === "string" ? values.pop().phrases : "";
    if (  values.some((one) => typeof one !== "string")) return null;
    const [premise, claim, domain, spatial, policy, ...names] = values;
    const known =
      ["", "temporal", "spatial", "logical"].includes(domain) &&
      ["geometric", "published"].includes(spatial) &&
      ["local", "global", "published"].includes(policy);
    return known ? { premise, claim, domain, spatial, policy, names, phrases } : null;
  } catch {
    return null;
  }
}
