/// A digest of the rows of a scope, which is equal on two replicas that have the same versions of
/// the same rows.
///
/// The digest is the sum of the hashes of all live rows modulo 2^64, so it does not depend on their
/// order and is updated without reading the other rows.
package struct ScopeDigest: Hashable, Sendable {
  /// The number of live rows.
  package private(set) var count: Int64
  /// The sum of the hashes of all live rows, modulo 2^64.
  package private(set) var sum: UInt64

  /// Creates the digest of a scope without rows.
  package init() { self.init(count: 0, sum: 0) }

  /// Creates a digest from its parts.
  package init(count: Int64, sum: UInt64) {
    self.count = count
    self.sum = sum
  }

  /// Adds a live row to the digest.
  package mutating func add(table: String, row: DataIdentifier, version: Int64) {
    sum &+= Self.hash(table, row, version)
    count &+= 1
  }

  /// Removes a row from the digest.
  ///
  /// The row must have been added with the same version.
  package mutating func remove(table: String, row: DataIdentifier, version: Int64) {
    sum &-= Self.hash(table, row, version)
    count &-= 1
  }

  /// Returns the first eight bytes of
  /// `SHA-256(table ‖ 0 ‖ identifier ‖ 0 ‖ version in decimal digits)`, as a big-endian number.
  ///
  /// Neither a table nor an identifier contains a NUL character, so the inputs of two rows differ.
  private static func hash(_ table: String, _ row: DataIdentifier, _ version: Int64) -> UInt64 {
    let message = [UInt8](table.utf8) + [0] + row.text.utf8 + [0] + String(version).utf8
    return SHA256Digest(of: message).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
