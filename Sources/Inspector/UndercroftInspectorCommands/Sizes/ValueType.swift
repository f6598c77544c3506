import Foundation
import UndercroftInspection

/// The type of a value, recognised by its first bytes.
enum ValueType: String {
  case empty = "empty"
  case json = "json"
  case propertyList = "property list"
  case xml = "xml"
  case text = "text"
  case png = "png"
  case jpeg = "jpeg"
  case gif = "gif"
  case pdf = "pdf"
  case gzip = "gzip"
  case zip = "zip"
  case sqlite = "sqlite"
  case binary = "binary"

  private static let signatures: [(bytes: [UInt8], type: ValueType)] = [
    (FileSignature.propertyList, .propertyList), (FileSignature.png, .png),
    (FileSignature.jpeg, .jpeg), (FileSignature.gif, .gif), (FileSignature.pdf, .pdf),
    (FileSignature.gzip, .gzip), (FileSignature.zip, .zip), (FileSignature.sqlite, .sqlite),
  ]

  init(_ bytes: Data) {
    if let found = Self.signatures.first(where: { bytes.starts(with: $0.bytes) }) {
      self = found.type
    } else {
      self = Self.textType(bytes)
    }
  }

  private static func textType(_ bytes: Data) -> ValueType {
    guard let first = bytes.first(where: { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }) else {
      return bytes.isEmpty ? .empty : .text
    }
    guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
      return .binary
    }
    switch first {
    case UInt8(ascii: "<"):
      return bytes.prefix(1_024).firstRange(of: Array("<plist".utf8)) == nil ? .xml : .propertyList
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): return .json
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return jsonOrText(bytes)
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): return jsonOrText(bytes)
    default: return .text
    }
  }

  /// Returns the type of a text that begins like a number or a constant of JSON.
  ///
  /// Numbers and the words `true`, `false` and `null` are JSON only if nothing else follows.
  private static func jsonOrText(_ bytes: Data) -> ValueType {
    let text = String(decoding: bytes.prefix(64), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    return ["true", "false", "null"].contains(text) || Double(text) != nil ? .json : .text
  }
}
