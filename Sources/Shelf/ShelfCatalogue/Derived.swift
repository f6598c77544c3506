/// A value that was derived from the rows of the catalogue, with the fingerprint of the imported
/// file that the rows came from.
///
/// Rows and derived values are in different stores, and no transaction spans both. If a run ends
/// between the two writes, an old value remains beside new rows. The next run detects this state,
/// because the fingerprints differ.
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
