import UndercroftCore
import UndercroftFoundation
import UndercroftSync

extension JSONValue {
  /// The member of the object with a name.
  ///
  /// The result is `null` if the object has no such member or the value is not an object.
  subscript(name: String) -> JSONValue {
    if case .object(let members) = self { members[ExactString(name)] ?? .null } else { .null }
  }

  var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  var text: String { if case .string(let text) = self { text } else { "" } }

  /// The integer that the value contains as a number or as a string of digits.
  ///
  /// The result is 0 for all other values.
  var integer: Int64 {
    switch self {
    case .integer(let number): number
    case .string(let digits): Int64(digits) ?? 0
    default: 0
    }
  }

  var isNull: Bool { self == .null }

  /// The JSON text of the value.
  var shown: String { String(decoding: JSONWriter.data(self), as: UTF8.self) }

  /// Returns a string of the digits of a number, which is the form of numbers in a trace.
  static func digits(_ number: Int64) -> JSONValue { .string("\(number)") }

  /// Returns a JSON object with the given members.
  static func members(_ members: [String: JSONValue]) -> JSONValue {
    .object(Dictionary(uniqueKeysWithValues: members.map { (ExactString($0.key), $0.value) }))
  }

  /// Returns the values of columns in the form that a trace contains.
  static func values(_ fields: FieldValues) -> JSONValue { .object(fields.mapValues(\.traced)) }
}

extension SyncValue {
  /// The value in the form that a trace contains.
  ///
  /// The model has only integers, texts and NULL. Other values become their descriptions.
  var traced: JSONValue {
    switch self {
    case .null: .null
    case .integer(let integer): .array([.string("i"), .digits(integer)])
    case .text(let text): .string(text)
    default: .string("\(self)")
    }
  }
}
