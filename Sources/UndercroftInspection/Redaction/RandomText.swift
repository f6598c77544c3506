/// The search for runs of characters that look random, such as keys.
enum RandomText {
  /// The sizes of runs that are examined.
  ///
  /// Longer runs are encoded files, such as images.
  private static let sizes = 20...256
  /// The minimum size of a line of a run that continues on the next line, as MIME and PEM write it.
  private static let minimumLineSize = 60

  /// The starts of small files in base64 (PNG, JPEG, GIF, WebP, PDF, SVG, XML and property list),
  /// of the public keys of SSH, and of digests in the format of Subresource Integrity.
  private static let knownStarts: [StaticString] = [
    "iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR", "JVBERi0", "PHN2Zy", "PD94bWw", "YnBsaXN0",
    "AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh", "sha256-", "sha384-", "sha512-",
  ]

  /// Returns whether a run of base64 or hexadecimal characters looks random.
  ///
  /// UUIDs, digests with the name of their algorithm, public keys, certificates in the PEM format,
  /// and data URLs do not count.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  static func isPresent(in text: ASCIIText) -> Bool { first(in: text) != nil }

  /// Returns the first run that looks random and begins at or after an offset, or `nil` if there is
  /// none.
  static func first(in text: ASCIIText, from start: Int = 0) -> Range<Int>? {
    var offset = start
    while offset < text.searchedCount {
      let byte = text.bytes[offset]
      guard ASCIIClass.isBase64(byte) else {
        offset += 1
        continue
      }
      // A hyphen is also a character of base64url.
      if byte == UInt8(ascii: "-"), text.has("-----BEGIN ", at: offset) {
        offset = text.offset(of: "-----END ", from: offset) ?? text.bytes.count
      }
      let end = runEnd(from: offset, text)
      if end > offset, sizes.contains(end - offset), !isLabelled(at: offset, text),
        isRandom(text.bytes[offset..<end])
      {
        return offset..<end
      }
      offset = max(end, offset + 1)
    }
    return nil
  }

  /// Returns whether a label before or at the start of a run shows that the run is not a secret.
  private static func isLabelled(at start: Int, _ text: ASCIIText) -> Bool {
    ([";base64,", "sha256:", "sha384:", "sha512:", "sha1:", "md5:"] as [StaticString])
      .contains { text.has($0, at: start - $0.utf8CodeUnitCount, ignoringCase: true) }
      || knownStarts.contains { text.has($0, at: start) }
  }

  private static func runEnd(from start: Int, _ text: ASCIIText) -> Int {
    var line = start
    while true {
      let end = text.end(from: line, while: ASCIIClass.isBase64)
      let next = text.end(from: end, limit: 2) { $0 == 0x0a || $0 == 0x0d }
      guard end - line >= minimumLineSize, next > end, next < text.bytes.count,
        ASCIIClass.isBase64(text.bytes[next])
      else { return end }
      line = next
    }
  }

  private static func isRandom(_ run: ArraySlice<UInt8>) -> Bool {
    let run = withoutUUIDs(run)
    // The separators of a path are also characters of base64.
    let segments = run.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isPath =
      segments.count > 3 || segments.count > 2 && run.first == UInt8(ascii: "/")
      || segments.count > 1
        && segments.contains { $0.count >= 16 && $0.allSatisfy(ASCIIClass.isHexadecimal) }
    if !isPath, RandomWord(run).isRandom { return true }
    // A hexadecimal segment is the address of some content.
    return segments.count > 1
      && segments.contains { RandomWord($0).isRandom && !RandomWord($0).isHexadecimal }
  }

  /// Returns a run in which UUIDs are replaced by hyphens.
  private static func withoutUUIDs(_ run: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = Array(run)
    var start = 0
    while bytes.count - start >= 36 {
      guard isUUID(bytes[start..<start + 36]) else {
        start += 1
        continue
      }
      for index in start..<start + 36 { bytes[index] = UInt8(ascii: "-") }
      start += 36
    }
    return bytes[...]
  }

  private static func isUUID(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.indices.allSatisfy { index in
      [8, 13, 18, 23].contains(index - bytes.startIndex)
        ? bytes[index] == UInt8(ascii: "-") : ASCIIClass.isHexadecimal(bytes[index])
    }
  }
}
