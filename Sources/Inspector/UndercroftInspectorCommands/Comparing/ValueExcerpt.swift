import Foundation
import UndercroftInspection

/// A description of values on one line, in which secrets are redacted.
struct ValueExcerpt {
  /// The redactor of secrets, or `nil` to show them.
  let redactor: Redactor?
  /// The maximum width of a value in columns.
  private static let maximumWidth = 80
  /// The maximum number of Unicode scalars that are examined for the beginning of a value.
  private static let maximumScalarCount = 4_000

  /// Returns the beginning of a value.
  ///
  /// - Parameter name: the name of the value or its column, by which secrets are recognised.
  func text(of bytes: Data, named name: String) -> String {
    if let redactor, redactor.redacts(name: name, value: bytes) {
      return redactor.placeholder(for: bytes)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return "\(ByteText.readable(bytes.count)) \(ValueText.brief(bytes))"
    }
    return shortened(text)
  }

  /// Returns a value of a row, or its beginning if the value is a text or blob.
  ///
  /// - Parameter name: the name of the column, by which secrets are recognised.
  func text(of value: InspectedValue, named name: String) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): self.text(of: Data(text.utf8), named: name)
    case .bytes(let bytes): self.text(of: bytes, named: name)
    }
  }

  /// Returns the columns of a row with their values, such as `id=1 title=Dune`.
  func text(of row: NamedRow) -> String {
    zip(row.columns, row.values).map { "\($0)=\(text(of: $1, named: $0))" }.joined(separator: " ")
  }

  /// Returns the part of a value around a position; the value must not be redacted.
  ///
  /// The text is empty if the value is no UTF-8.
  func text(of bytes: Data, around offset: Int) -> String {
    guard String(validating: bytes, as: UTF8.self) != nil else { return "" }
    return shortened(SearchExcerpt.text(of: bytes, around: offset, named: nil, redactedBy: nil))
  }

  /// Returns the beginning of a text on one line.
  ///
  /// Only the first scalars are examined, because splitting and escaping a text of 10 MB takes
  /// seconds. The last character of them is omitted, because it may continue after them.
  private func shortened(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(Self.maximumScalarCount)
    let isCut = scalars.endIndex < text.endIndex
    let start = isCut ? Substring(scalars).dropLast() : Substring(scalars)
    let line = start.split(whereSeparator: \.isNewline).joined(separator: " ")
    return DisplayWidth.truncated(
      ValueText.safe(line) + (isCut ? "…" : ""), to: Self.maximumWidth)
  }
}
