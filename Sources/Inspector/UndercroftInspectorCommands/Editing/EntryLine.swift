import Foundation
import UndercroftCore
import UndercroftInspection

/// A named value, or the removal of one, as a line of JSON.
///
/// The members are `name`, `kind` if there are several stores, and one of `value` (the bytes as
/// text), `base64` (the bytes as Base64) and `removed` (the value `true`). A line of an undo file
/// also has the member `replaces`, the state of the entry after the change that is undone. A line
/// with the member `redacted`, a placeholder of an export, is refused.
struct EntryLine {
  let kind: String?
  let name: String
  /// The bytes of the value, or `nil` if the value is removed.
  let bytes: Data?
  /// The state that the entry must have, or `nil` if it can have any.
  var replaces: EntryState?

  /// The line without a line break.
  var json: String {
    var members: [ExactString: ResultValue] = ["kind": ResultValue(kind), "name": .text(name)]
    if let bytes, let text = String(validating: bytes, as: UTF8.self) {
      members["value"] = .text(text)
    } else if let bytes {
      members["base64"] = .text(bytes.base64EncodedString())
    } else {
      members["removed"] = .boolean(true)
    }
    members["replaces"] = replaces.map { .text($0.text) }
    return ResultValue.object(members).json
  }
}

extension EntryLine: Decodable {
  /// The reason why a line is not an entry.
  struct Defect: Error {
    let reason: String
  }

  /// Bytes in the form in which `ResultValue` writes them as JSON.
  private struct EncodedBytes: Decodable {
    let base64: String

    private enum CodingKeys: String, CodingKey {
      case base64 = "base64"
    }
  }

  private enum CodingKeys: String, CodingKey {
    case kind = "kind"
    case name = "name"
    case value = "value"
    case base64 = "base64"
    case removed = "removed"
    case redacted = "redacted"
    case replaces = "replaces"
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    func text(_ key: CodingKeys) throws -> String? {
      guard members.contains(key), try !members.decodeNil(forKey: key) else { return nil }
      if let text = try? members.decode(String.self, forKey: key) { return text }
      throw Defect(reason: "the member \(quoted(key.rawValue)) is not a text")
    }
    kind = try text(.kind)
    guard let name = try text(.name) else {
      throw Defect(reason: "the member \(quoted("name")) is missing")
    }
    self.name = name
    guard !members.contains(.redacted) else {
      throw Defect(
        reason: """
          the value \(quoted(name)) is a placeholder of "export --redact"; export the value \
          without this option, or remove the line
          """)
    }
    if let state = try text(.replaces) {
      guard let replaces = EntryState(state) else {
        throw Defect(reason: "the member \(quoted("replaces")) is neither absent nor a fingerprint")
      }
      self.replaces = replaces
    }
    let isRemoved = (try? members.decodeIfPresent(Bool.self, forKey: .removed)) ?? false
    let object = try? members.decodeIfPresent(EncodedBytes.self, forKey: .value)
    let encoded = try object?.base64 ?? text(.base64)
    let value = object == nil ? try text(.value) : nil
    guard [value != nil, encoded != nil, isRemoved].count(where: \.self) == 1 else {
      throw Defect(
        reason: "the line does not have exactly one of the members value, base64 and removed")
    }
    guard let encoded else {
      bytes = value.map { Data($0.utf8) }
      return
    }
    guard let decoded = Data(base64Encoded: encoded) else {
      throw Defect(reason: "the member \(quoted("base64")) is not Base64")
    }
    bytes = decoded
  }
}
