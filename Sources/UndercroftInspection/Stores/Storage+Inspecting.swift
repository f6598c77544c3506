public import UndercroftCore

extension Storage {
  /// Returns a report about the store of `kind`, or `nil` if the backend of `kind` is not
  /// ``Inspectable``.
  ///
  /// If the backend is not open, it is opened.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if the kind has no route, and any error that
  ///   opening or reading the backend throws.
  public func inspect(_ kind: DataKind) throws(StorageError) -> InspectionReport? {
    try (gate(for: kind).backend as? any Inspectable)?.inspect()
  }
}
