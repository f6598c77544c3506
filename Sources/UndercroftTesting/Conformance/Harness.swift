public import UndercroftCore
public import UndercroftFoundation
public import UndercroftInspection

/// A test harness that opens the backend under test in a new temporary
/// directory for each check, and removes the directory afterwards.
///
/// ```swift
/// @Test(arguments: BackendConformance.checks)
/// func `the backend conforms to the contract`(to check: BackendConformance.Check) async throws {
///   try await check.run(against: Harness { try PaperBackend(in: $0.appending(path: "store")) })
/// }
/// ```
///
/// The closure is called again to reopen the store after the first backend
/// is released. To verify sharing, the closure is also called while the
/// first backend is open. All files of the store must be in the directory.
public struct Harness: Sendable {
  let open: @Sendable (URL) throws -> any StorageBackend
  let inspector: StoreInspectorFactory?
  private(set) var credentials: @Sendable (URL) -> InspectionCredentials = { _ in .init() }
  private(set) var openBroken: (@Sendable (URL, String) throws -> any StorageBackend)?

  /// Creates a harness.
  ///
  /// - Parameters:
  ///   - inspector: the factory that opens the closed store for inspection, or `nil` to inspect the
  ///     backend itself.
  ///   - open: opens the backend on a store in the given directory.
  public init(
    inspector: StoreInspectorFactory? = nil,
    _ open: @escaping @Sendable (URL) throws -> any StorageBackend
  ) {
    self.open = open
    self.inspector = inspector
  }

  /// Returns this harness with a closure that opens a backend whose writes fail.
  ///
  /// The checks cannot make the writes of an arbitrary backend fail, so the author of the backend
  /// provides the closure. The closure receives the directory of a closed store and a name. The
  /// closure opens a backend on that store and returns it. The backend must reject any batch that
  /// sets this name, and must apply all other batches. To achieve this, the closure can create a
  /// folder at the path of the value's file, install a trigger that rejects the row, or let the
  /// backend write to a ``FaultyBackend``.
  ///
  /// Without the closure, the checks use a name of excessive length and accept success
  /// or failure, as long as the store's content matches the declared capabilities.
  public func breaking(
    _ openBroken:
      @escaping @Sendable (_ directory: URL, _ name: String) throws
      -> any StorageBackend
  ) -> Harness {
    var harness = self
    harness.openBroken = openBroken
    return harness
  }

  /// Returns this harness with credentials for the inspection of encrypted stores.
  ///
  /// Without credentials, the checks accept that listing a
  /// confidential store fails with ``StorageError/Code/locked``.
  public func credentials(
    _ credentials: @escaping @Sendable (_ directory: URL) -> InspectionCredentials
  ) -> Harness {
    var harness = self
    harness.credentials = credentials
    return harness
  }
}
