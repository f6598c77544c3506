/// A value made from the rows, and the state of the rows it was made from.
///
/// Rows and derived values are in different stores, which no transaction spans: a run that is ended between two of them
/// leaves an old value beside new rows, and the next run knows it by this mark.
public struct Derived<Value: Codable & Sendable>: Codable, Sendable {
  /// The value.
  public let value: Value
  /// The fingerprint of the input that the rows came from.
  let fingerprint: Int64
}

extension Derived: Equatable where Value: Equatable {}
