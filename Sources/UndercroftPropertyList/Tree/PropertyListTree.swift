/// A sequence of events that visits the values of a property list, depth first.
///
/// A container to which several references lead is expanded once. The walk therefore ends for
/// every file, even if containers contain themselves. A damaged value is an event of the walk and
/// does not end it.
public struct PropertyListTree: Sequence, Sendable {
  let source: PropertyListSource
  let start: PropertyListReference
  let limits: PropertyListLimits

  /// Creates a walk over a document; a UID is a scalar.
  ///
  /// - Parameters:
  ///   - document: the property list.
  ///   - reference: the object at which the walk begins, or `nil` for the root.
  ///   - limits: the limits at which the walk omits values.
  public init(
    _ document: PropertyListDocument, from reference: PropertyListReference? = nil,
    limits: PropertyListLimits = PropertyListLimits()
  ) {
    source = .document(document)
    start = reference ?? document.root
    self.limits = limits
  }

  /// Creates a walk over a keyed archive, which resolves UIDs.
  ///
  /// - Parameters:
  ///   - archive: the keyed archive.
  ///   - reference: the value at which the walk begins, or `nil` for the dictionary of the
  ///     outermost objects.
  ///   - limits: the limits at which the walk omits values.
  public init(
    _ archive: KeyedArchive, from reference: PropertyListReference? = nil,
    limits: PropertyListLimits = PropertyListLimits()
  ) {
    source = .archive(archive)
    start = reference ?? archive.top
    self.limits = limits
  }

  /// Returns an iterator at the beginning of the walk.
  public func makeIterator() -> PropertyListTreeIterator { PropertyListTreeIterator(self) }
}
