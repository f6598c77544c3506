import Foundation
import UndercroftCore
import UndercroftInspection

/// The selection of the store that a command edits.
struct EditSelection {
  let target: Target
  /// The kind of the store, or `nil` to select the only store that has the names.
  let kind: String?
  /// The names that the user has typed.
  let names: [String]

  /// Begins the edit of the selected store.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if several stores can be edited, unless exactly
  ///   one of them has values with all names; and, if none has them, the error of a vault that the
  ///   passed key file does not open.
  func edit() throws -> StoreEdit {
    let stores = try target.stores(of: kind)
    guard kind == nil, stores.count > 1 else { return try StoreEdit(of: target.store(of: kind)) }
    let owners = try Self.edits(of: stores).filter { try has($0) }
    guard let owner = owners.first, owners.count == 1 else {
      if owners.isEmpty { try requireOpeningKey(of: stores) }
      let kinds = (owners.isEmpty ? Self.editable(stores) : owners.map(\.store))
        .compactMap(\.kind).joined(separator: ", ")
      let reason =
        owners.isEmpty
        ? "\(stores.count) stores are there, and none that can be edited has \(subject)"
        : "several stores have \(subject)"
      throw StorageError(
        .unavailable, "cannot select a store at \(quoted(target.path)): \(reason)",
        suggestion: kinds.isEmpty
          ? "pass the path of one store" : "select one of these kinds with --kind: \(kinds)")
    }
    Output.note(
      "the store of the kind \(quoted(owner.store.kind ?? "")) is selected, because only this "
        + "store has \(subject)")
    return owner
  }

  /// A sentence that asks for `--kind`, or `nil` if ``edit()`` can select a store.
  ///
  /// No passphrase is asked for.
  var missingKind: String? {
    let key = target.access?.keyFile.map { URL(filePath: $0) }
    guard kind == nil,
      let stores = try? target.stores(credentials: InspectionCredentials(keyFile: key)),
      stores.count > 1, (try? Self.edits(of: stores).filter { try has($0) }.count) != 1
    else { return nil }
    let kinds = Self.editable(stores).compactMap(\.kind).joined(separator: ", ")
    return "Several stores are at the path. Add --kind with one of: \(kinds)."
  }

  private var subject: String {
    let list = names.map { quoted($0) }.joined(separator: ", ")
    return names.count == 1 ? "the value \(list)" : "the values \(list)"
  }

  /// Throws the error of a vault that the passed key file does not open, because the vault may
  /// contain the values.
  private func requireOpeningKey(of stores: [DiscoveredStore]) throws {
    guard target.access?.keyFile != nil else { return }
    for store in stores where store.vault != nil && !store.isEncrypted {
      _ = try StoreEdit(of: store)
    }
  }

  private func has(_ edit: StoreEdit) throws -> Bool {
    do {
      return try names.allSatisfy { try edit.existingName($0) != nil }
    } catch let error as StorageError where error.code == .locked {
      return false
    }
  }

  /// Begins the edits of the stores that can be opened.
  ///
  /// A confidential store without its key is not a candidate, because the command could not change
  /// it either.
  private static func edits(of stores: [DiscoveredStore]) -> [StoreEdit] {
    stores.compactMap { try? StoreEdit(of: $0) }
  }

  /// The stores that a command could edit, including those whose key was not passed.
  private static func editable(_ stores: [DiscoveredStore]) -> [DiscoveredStore] {
    stores.filter { store in
      do {
        _ = try StoreEdit(of: store)
        return true
      } catch {
        return (error as? StorageError)?.code == .locked && (try? store.requireEditing()) != nil
      }
    }
  }
}
