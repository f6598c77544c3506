import UndercroftCore
import UndercroftFoundation

/// A redactor that replaces values by their types, lengths and keyed fingerprints, and identifiers
/// by keyed fingerprints.
///
/// Equal values have equal fingerprints in one export, so the export shows which values were lost.
/// The key is random and is not stored, so that values cannot be guessed by computing fingerprints.
package struct Redactor {
  private let key: [UInt8]

  /// Creates a redactor with a key, of which only the first 64 bytes are used.
  package init(key: [UInt8]) { self.key = Array(key.prefix(Self.blockBytes)) }

  /// Creates a redactor with a random key.
  package init() {
    var generator = SystemRandomNumberGenerator()
    key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// Returns the first 16 hexadecimal digits of the HMAC-SHA-256 of a text. (RFC 2104)
  package func fingerprint(_ text: String) -> String { fingerprint([UInt8](text.utf8)) }

  /// Returns the type of a value and, unless the value is NULL, its fingerprint.
  ///
  /// The result also contains the length in bytes, except for numbers and NULL.
  func value(_ value: SyncValue) -> JSONValue {
    let (type, bytes): (String, [UInt8]) =
      switch value.stored {
      case .null: ("null", [])
      case .integer(let integer): ("integer", [UInt8](String(integer).utf8))
      case .real(let real): ("real", [UInt8](String(real.bitPattern).utf8))
      case .text(let text): ("text", [UInt8](text.utf8))
      case .malformedText(let data): ("malformed text", [UInt8](data))
      case .blob(let data): ("blob", [UInt8](data))
      case .encrypted(let value): ("encrypted", [UInt8](value.bytes))
      }
    var members: [ExactString: JSONValue] = ["type": .string(type)]
    switch value.stored {
    case .null: break
    case .integer, .real: members["print"] = .string(fingerprint(bytes))
    case .text, .malformedText, .blob, .encrypted:
      members["bytes"] = .integer(Int64(bytes.count))
      members["print"] = .string(fingerprint(bytes))
    }
    return .object(members)
  }

  /// Returns the redacted values of columns under the unchanged names of the columns.
  func values(_ fields: FieldValues) -> JSONValue { .object(fields.mapValues(value)) }

  // MARK: HMAC

  private static let blockBytes = 64

  private func fingerprint(_ message: [UInt8]) -> String {
    let padded = key + [UInt8](repeating: 0, count: Self.blockBytes - key.count)
    let inner = SHA256Digest(of: padded.map { $0 ^ 0x36 } + message)
    let outer = SHA256Digest(of: padded.map { $0 ^ 0x5C } + inner.bytes)
    return String(outer.digits.prefix(16))
  }
}
