// Whether WebAssembly can be had here. Nothing is fetched to find out.

export function isSupported(): boolean {
  try {
    // The shortest module: the magic number and the version.
    return Boolean(new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)));
  } catch {
    return false;
  }
}
