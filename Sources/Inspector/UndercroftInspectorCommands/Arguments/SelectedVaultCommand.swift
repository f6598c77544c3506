import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command about the vault at a path.
///
/// It accepts a key file together with a passphrase, because both may open slots of the vault.
protocol SelectedVaultCommand: ParsableCommand {
  var path: String { get }
  var access: AccessArguments { get }
  var kind: String? { get }
}

extension SelectedVaultCommand {
  func validate() throws { try ValidationError.requirePath(path) }

  /// Returns the vault at the path.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if there is no vault or if there are several, or
  ///   if the application has not created the vault yet.
  func vault() throws -> InspectedVault {
    let target = Target(path: path, access: access)
    let credentials = target.credentials()
    let stores = try target.stores(of: kind, credentials: credentials)
    var vaults: [InspectedVault] = []
    for store in stores {
      // Several kinds may be in one vault.
      guard let functions = store.vault, !vaults.contains(where: { $0.path == store.path }) else {
        continue
      }
      vaults.append(InspectedVault(url: store.url, credentials: credentials, functions: functions))
    }
    guard let vault = vaults.first else {
      throw StorageError(
        .unavailable, "cannot find a vault: no store at \(quoted(path)) is a vault",
        suggestion: "pass the path of a vault, or the home directory of an application")
    }
    guard vaults.count == 1 else {
      throw StorageError(
        .unavailable,
        "cannot select a vault at \(quoted(path)): there are \(vaults.count) vaults",
        suggestion: "select one of them with --kind, or pass its path")
    }
    guard StoreFile(vault.path) != nil else {
      throw StorageError(
        .unavailable, "cannot open \(quoted(vault.path)): the vault does not exist",
        suggestion: """
          check the path; the application creates the vault when it uses the vault for the first \
          time
          """)
    }
    return vault
  }
}
