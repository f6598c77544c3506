public import UndercroftCore
public import UndercroftFoundation

/// A store whose content can be inspected without changing it.
///
/// The inspector accesses a backend only through this protocol. Inspecting a store opened by a
/// ``StoreInspectorFactory`` changes nothing on disk, not even the modification time of a folder.
public protocol Inspectable: Sendable {
  /// Returns a report about the store as a whole.
  func inspect() throws(StorageError) -> InspectionReport

  /// Returns a report without the facts that are only known after reading the whole store.
  ///
  /// The default implementation returns the complete report.
  func briefReport() throws(StorageError) -> InspectionReport

  /// Returns the entries whose names begin with `prefix`, sorted by name.
  ///
  /// - Throws: ``StorageError/Code/locked`` if names are encrypted and no key was given.
  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry]

  /// Calls `body` with each entry whose name begins with `prefix`, in any order, until `body`
  /// returns `false`.
  ///
  /// `body` may call the methods of the store, such as ``bytes(of:)``, so a store must not hold a
  /// lock during the call.
  ///
  /// The default implementation reads all entries into memory first. A store with many entries
  /// should read them one by one.
  ///
  /// - Throws: the errors of ``entries(withPrefix:)``, and any error that `body` throws.
  func forEachEntry(
    withPrefix prefix: String, _ body: (InspectionEntry) throws -> Bool) throws

  /// Calls `body` with the name and the bytes of each entry whose name begins with `prefix`, in any
  /// order, until `body` returns `false`.
  ///
  /// The default implementation calls ``bytes(of:)`` for each entry. A store that reads its whole
  /// file to find one entry should implement this method with a single pass.
  ///
  /// - Throws: the errors of ``entries(withPrefix:)``, and any error that `body` throws.
  func forEachValue(
    withPrefix prefix: String, _ body: (_ name: String, _ bytes: Data) throws -> Bool) throws

  /// Returns the bytes of one entry, or `nil` if there is none.
  func bytes(of entry: String) throws(StorageError) -> Data?

  /// Reads the whole store, and returns the damage that was found.
  ///
  /// The default implementation reads each value.
  ///
  /// - Throws: an error that prevents reading the rest of the store.
  func check() throws(StorageError) -> CheckResult
}

extension Inspectable {
  public func briefReport() throws(StorageError) -> InspectionReport { try inspect() }

  public func check() throws(StorageError) -> CheckResult {
    var result = CheckResult()
    for entry in try entries(withPrefix: "") {
      do throws(StorageError) {
        _ = try bytes(of: entry.name)
      } catch {
        guard error.code == .corrupted else { throw error }
        result.damage.append(error.failure)
      }
    }
    return result
  }

  public func forEachEntry(
    withPrefix prefix: String, _ body: (InspectionEntry) throws -> Bool
  ) throws {
    for entry in try entries(withPrefix: prefix) where try !body(entry) { return }
  }

  public func forEachValue(
    withPrefix prefix: String, _ body: (_ name: String, _ bytes: Data) throws -> Bool
  ) throws {
    try forEachEntry(withPrefix: prefix) { entry in
      // An entry may have been removed since the names were listed.
      guard let bytes = try bytes(of: entry.name) else { return true }
      return try body(entry.name, bytes)
    }
  }
}
