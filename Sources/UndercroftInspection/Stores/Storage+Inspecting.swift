public import UndercroftCore

extension Storage {
  /// Returns what the backend of `kind` reports about its store,
  /// or `nil` if the backend is not ``Inspectable``.
  ///
  /// If the backend is not open, it is opened.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if the kind has
  ///   no route, and any error in opening and reading the backend.
  public func inspect(_ kind: DataKind) throws(StorageError) -> InspectionReport? {
    try (gate(for: kind).backend as? any Inspectable)?.inspect()
  }
}
