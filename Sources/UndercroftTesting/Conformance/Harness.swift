public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Opens the backend under test: each check gets a fresh temporary directory, removed afterwards.
///
/// ```swift
/// @Test(arguments: BackendConformance.checks)
/// func `conforms`(to check: BackendConformance.Check) async throws {
///   try await check.run(against: Harness { try PaperBackend(in: $0.appending(path: "store")) })
/// }
/// ```
///
/// The closure is called again to reopen the store, after the first backend was dropped; and, to
/// prove what is declared about sharing, while the first one is still open. Whatever belongs to the
/// store must be under the directory.
public struct Harness: Sendable {
  let open: @Sendable (URL) throws -> any StorageBackend
  let opener: StoreOpener?
  private(set) var credentials: @Sendable (URL) -> InspectionCredentials = { _ in .init() }
  private(set) var openBroken: (@Sendable (URL, String) throws -> any StorageBackend)?

  /// Makes a harness.
  ///
  /// - Parameters:
  ///   - opener: what the inspector opens the store with; without one the backend itself is inspected.
  ///   - open: opens the backend on a store in the given directory.
  public init(
    opener: StoreOpener? = nil, _ open: @escaping @Sendable (URL) throws -> any StorageBackend
  ) {
    self.open = open
    self.opener = opener
  }

  /// Returns the same harness, which also knows how to make writes fail.
  ///
  /// No failure can be forced on every backend, so the author says how. The closure gets the
  /// directory of a closed store and a name. It returns a backend, opened on that store, which
  /// fails to apply any batch that sets this name and applies all others: because a folder stands
  /// where the file should go, because a trigger refuses the row, because the disk behind the
  /// backend is a ``FaultyBackend``. Without it the checks try a name that is far too long and
  /// accept either outcome, as long as it is the declared one.
  public func breaking(
    _ openBroken:
      @escaping @Sendable (_ directory: URL, _ name: String) throws
      -> any StorageBackend
  ) -> Harness {
    var harness = self
    harness.openBroken = openBroken
    return harness
  }

  /// Returns the same harness, which also knows what opens sealed stores for inspection.
  ///
  /// Without credentials the opener may refuse to list a confidential store, with the code
  /// ``StorageError/Code/locked``.
  public func credentials(
    _ credentials: @escaping @Sendable (_ directory: URL) -> InspectionCredentials
  ) -> Harness {
    var harness = self
    harness.credentials = credentials
    return harness
  }
}
