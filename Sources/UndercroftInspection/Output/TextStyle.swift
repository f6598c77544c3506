/// A style of text on a terminal. (ECMA-48, Select Graphic Rendition)
///
/// Only text whose control characters are escaped may be styled, because a terminal executes the
/// escape sequences of other text.
package enum TextStyle: Sendable {
  /// The name of a column, or another heading.
  case heading
  /// The name of a kind of data, or of a store without a kind.
  case kind
  /// The SQL value NULL.
  case null
  /// The sign of something that only the second of two stores contains.
  case added
  /// The sign of something that only the first of two stores contains.
  case removed
  /// The sign of something that two stores contain in different forms.
  case changed
  /// The beginning of an error.
  case error

  /// Returns a text between the escape sequences that begin and end the style.
  package func applied(to text: String) -> String { "\u{1b}[\(code)m\(text)\u{1b}[0m" }

  /// Returns the style of the sign of a difference, such as "+", or `nil` for any other text.
  package init?(sign: some StringProtocol) {
    switch sign {
    case "+": self = .added
    case "-": self = .removed
    case "~": self = .changed
    default: return nil
    }
  }

  private var code: String {
    switch self {
    case .heading: "1"
    case .kind: "36"
    case .null: "2"
    case .added: "32"
    case .removed: "31"
    case .changed: "33"
    case .error: "1;31"
    }
  }
}
