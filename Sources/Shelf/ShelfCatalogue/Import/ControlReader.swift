/// A reader of a Debian package database, in which each paragraph describes a package. (deb822(5))
public struct ControlReader: ~Copyable {
  private static let fieldNames: Set<String> = [
    "package", "version", "architecture", "section", "installed-size", "description", "depends",
    "pre-depends",
  ]

  private var lines: LineReader

  /// Opens the package database at `path`.
  public init(_ path: String) throws(InputError) { lines = try LineReader(path) }

  /// Returns the next package, or `nil` after the last package.
  public mutating func next() throws(InputError) -> Package? {
    var fields: [String: String] = [:]
    var current: String?
    var digest = Digest()
    var isEmpty = true
    while let line = try lines.next() {
      if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) {
        if isEmpty { continue }
        break
      }
      if line.first == UInt8(ascii: "#") { continue }
      isEmpty = false
      digest.add(line)
      digest.add(UInt8(ascii: "\n"))
      if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
        guard current != nil else {
          throw damaged(
            "begins with a space or tab, but no field precedes the line in the same paragraph")
        }
        // Store only the first line of a description. A relation may have several lines.
        if let current, current.hasSuffix("depends") {
          fields[current, default: ""] += " " + String(decoding: line.dropFirst(), as: UTF8.self)
        }
        continue
      }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
        throw damaged("does not begin with the name of a field and a colon")
      }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      current = name
      guard Self.fieldNames.contains(name) else { continue }
      guard fields[name] == nil else { throw damaged("repeats the field \(name.debugDescription)") }
      fields[name] = Self.trimmed(line[line.index(after: colon)...])
    }
    if isEmpty { return nil }
    guard let name = fields["package"], !name.isEmpty else {
      throw damaged("ends a paragraph in which the field \"Package\" is missing or empty")
    }
    return Package(name: name, fields: fields, digest: digest.value)
  }

  /// The checksum of the bytes that were read so far.
  ///
  /// After ``next()`` has returned `nil`, the value is the checksum of the whole input.
  var fingerprint: Int64 { lines.fingerprint }

  /// Returns the value that ``fingerprint`` will have after the last package, or `nil` if the input
  /// can be read only once, such as a pipe.
  func fingerprintAhead() throws(InputError) -> Int64? { try lines.fingerprintAhead() }

  /// The error for an input without packages.
  var empty: InputError { .empty(path: lines.path) }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let rest = bytes.drop(while: isBlank)
    let end = rest.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? rest.startIndex
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  private func damaged(_ reason: String) -> InputError {
    .damaged(path: lines.path, line: lines.number, reason: reason)
  }
}
