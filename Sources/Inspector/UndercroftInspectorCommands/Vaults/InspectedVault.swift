import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// A vault that a command examines or changes.
struct InspectedVault: Sendable {
  /// The interval at which a command that waits examines the processes again.
  private static let pause = Duration.milliseconds(100)

  let url: URL
  let credentials: InspectionCredentials
  let functions: VaultInspection

  var path: String { url.path(percentEncoded: false) }

  var hasCredentials: Bool { credentials.keyFile != nil || credentials.passphrase != nil }

  /// The other processes that have the vault or a file beside it open.
  ///
  /// A process that opens a vault also opens its lock file, which is never replaced. The folder is
  /// listed each time, because the lock file may be created meanwhile.
  var openers: [FileOpener] {
    FileOpener.all(of: StoreFile.all(at: url, listedBy: FolderListings()))
  }

  func summary() throws -> VaultInspection.Summary { try functions.summary(url, credentials) }

  func verify() throws -> VaultInspection.Verification { try functions.verify(url, credentials) }

  /// Changes the keys of the vault.
  ///
  /// - Parameters:
  ///   - change: the change.
  ///   - affectsOthers: whether the change may exclude another process that has the vault open.
  ///   - arguments: whether a key may lose access, and whether to wait for other processes.
  /// - Throws: ``StorageError/Code/busy`` while another process writes to the vault or, if the
  ///   change affects others, has the vault open.
  func change(
    _ change: VaultInspection.Change, affectsOthers: Bool, _ arguments: VaultWriteArguments
  ) throws {
    let deadline = ContinuousClock.now + arguments.waiting.timeout
    let request = VaultInspection.ChangeRequest(
      change, allowsLosingAccess: arguments.allowLosingAccess,
      permit: { if affectsOthers { try requireUnused() } })
    while true {
      do {
        return try functions.change(url, credentials, request)
      } catch let error as StorageError where error.code == .busy {
        repeat {
          guard ContinuousClock.now < deadline else { throw error.suggestingToWait }
          Thread.sleep(forTimeInterval: Self.pause / .seconds(1))
        } while affectsOthers && !openers.isEmpty
      }
    }
  }

  private func requireUnused() throws(StorageError) {
    let openers = openers
    guard !openers.isEmpty else { return }
    throw StorageError(
      .busy,
      """
      cannot change \(quoted(path)): other processes have the vault open: \
      \(openers.map(\.description).joined(separator: ", "))
      """,
      suggestion: "end these processes, or pass --wait SECONDS", underlying: PreventedWrite())
  }
}

extension InspectedVault {
  /// The same vault without credentials, because a change may have made them invalid.
  var withoutCredentials: InspectedVault {
    InspectedVault(url: url, credentials: InspectionCredentials(), functions: functions)
  }
}
