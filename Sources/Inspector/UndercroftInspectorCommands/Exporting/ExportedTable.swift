import Foundation
import UndercroftCore
import UndercroftInspection

/// The named values of one kind, or a table of a database, as rows in the form of a format.
struct ExportedTable {
  /// The kind of data, or the backend if no manifest specifies the kind.
  let kind: String
  /// The name of the table, or `nil` for named values.
  let name: String?
  let columns: [String]
  let format: ExportFormat
  /// Whether named values have the column `redacted`.
  private let isRedacted: Bool
  /// The encoder of the lines of named values, or of the rows of a table.
  private let lineEncoder: any RowEncoder

  /// Creates the description of the named values of a kind.
  ///
  /// A value is in the column `value`. Bytes that are not text are in the column `base64` if the
  /// format has no values of bytes.
  ///
  /// - Parameter isRedacted: whether secrets are placeholders in the column `redacted`, so that
  ///   `import` refuses them instead of storing a placeholder.
  init(valuesOf kind: String, _ format: ExportFormat, isRedacted: Bool) {
    self.kind = kind
    self.format = format
    self.isRedacted = isRedacted
    name = nil
    columns =
      ["name", "value"] + (format.hasBytes ? [] : ["base64"]) + (isRedacted ? ["redacted"] : [])
    lineEncoder = Self.lineEncoder(["kind"] + columns)
  }

  /// Creates the description of a table of a database.
  init(_ name: String, of kind: String, columns: [String], _ format: ExportFormat) {
    self.kind = kind
    self.name = name
    self.columns = columns
    self.format = format
    isRedacted = false
    lineEncoder = Self.lineEncoder(columns)
  }

  private static func lineEncoder(_ columns: [String]) -> any RowEncoder {
    var encoder = OutputFormat.ndjson.encoder()
    _ = encoder.begin(columns)
    return encoder
  }

  /// Returns the row of a named value.
  func row(_ name: String, _ bytes: Data) -> [ResultValue] {
    var row: [ResultValue]
    if let text = String(validating: bytes, as: UTF8.self), !format.hasBytes || isPlain(text) {
      row = [.text(name), .text(text)] + (format.hasBytes ? [] : [.absent])
    } else if format.hasBytes {
      row = [.text(name), .bytes(bytes)]
    } else {
      row = [.text(name), .absent, .text(bytes.base64EncodedString())]
    }
    if isRedacted { row.append(.absent) }
    return row
  }

  /// Returns the row of a named value in whose name or value secrets are placeholders.
  func row(redactedName name: ResultValue, _ value: ResultValue) -> [ResultValue] {
    let bytes: [ResultValue] = format.hasBytes ? [] : [.absent]
    return row([name, .absent] + bytes + [value])
  }

  /// Returns the row of a table.
  func row(_ values: [ResultValue]) -> [ResultValue] {
    values.map { value in
      switch value {
      case .text(let text) where format == .propertyList && !isPlain(text):
        .bytes(Data(text.utf8))
      default: value
      }
    }
  }

  /// Returns whether a text has no characters that XML forbids or that end a text in SQLite.
  private func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0 != "\u{fffe}" && $0 != "\u{ffff}" || ["\t", "\n", "\r"].contains($0)
    }
  }

  /// Returns a row as one JSON object that is complete by itself.
  func line(_ row: [ResultValue]) -> String {
    var encoder = lineEncoder
    guard let name else { return encoder.encode([.text(kind)] + row) }
    var object = encoder.encode(row)
    // The line break.
    object.removeLast()
    let start = "{\"kind\":\(ResultValue.text(kind).json),\"row\":"
    return "\(start)\(object),\"table\":\(ResultValue.text(name).json)}\n"
  }

  /// The name of a file for the table, without characters that have a meaning in a path.
  var fileName: String {
    let parts = [kind] + (name.map { [$0] } ?? [])
    return parts.map { Self.fileName($0) }.joined(separator: ".") + ".\(format.rawValue)"
  }

  private static func fileName(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += (byte < 16 ? "%0" : "%") + digits
      }
    }
    return result
  }
}
