/// A value that was derived from the rows of the catalogue, with the fingerprint of the imported
/// file that the rows came from.
///
/// Rows and derived values are in different stores, and no transaction spans both. If the program
/// ends after the rows were written and before the derived value was written, an old value remains
/// beside new rows. The next run of the program detects this state, because the fingerprints of the
/// rows and of the value differ.
public struct Derived<Value: Codable & Sendable>: Codable, Sendable {
  /// The derived value.
  public let value: Value
  /// The fingerprint of the imported file that the rows came from.
  let fingerprint: Int64

  private enum CodingKeys: String, CodingKey {
    case value = "value"
    case fingerprint = "fingerprint"
  }
}

extension Derived: Equatable where Value: Equatable {}
