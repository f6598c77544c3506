/// The route from a kind to its backend, which all copies of a storage share.
///
/// The type is a class, because finding the route of a read then retains one
/// object. A structure would retain each of its properties.
@usableFromInline
final class Route: Sendable {
  let choice: BackendChoice
  /// The location of the chosen store, or `nil` for a store in memory.
  ///
  /// If the storage opens a substitute for the chosen store, such as an in-memory
  /// backend in tests, this property still contains the location of the chosen store.
  let location: StoreLocation?
  @usableFromInline
  let coding: RouteCoding
  let gate: LazyGate

  init(
    _ coding: RouteCoding, to choice: BackendChoice, at location: StoreLocation?, _ gate: LazyGate
  ) {
    self.coding = coding
    self.choice = choice
    self.location = location
    self.gate = gate
  }

  var kind: DataKind { coding.kind }

  /// The description of this route for the manifest.
  var description: RouteDescription {
    RouteDescription(
      kind: kind.name, address: choice.address, backend: choice.name, codec: coding.codec.name,
      prefix: choice.namePrefix + coding.prefix,
      isConfidential: kind.requiredCapabilities.contains(.confidential),
      isEncrypted: choice.isEncrypted)
  }
}
