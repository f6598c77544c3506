public import UndercroftFoundation

/// One value of a row, as stored.
public enum InspectedValue: Sendable, Equatable {
  /// The SQL value NULL.
  case null
  /// A 64-bit signed integer.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// Text in valid UTF-8.
  case text(String)
  /// A blob, or text that is not valid UTF-8.
  case bytes(Data)
}
