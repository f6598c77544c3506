import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection

/// A change of the keys of a vault that a tool requests.
struct VaultKeyChange {
  /// The time after which a writing process makes the change fail with ``StorageError/Code/busy``.
  ///
  /// The time is short, because a tool that may wait repeats the change.
  private static let lockTimeout = Duration.milliseconds(500)

  private let url: URL
  private let path: String
  private let keys: [VaultKey]
  private let unlockers: [VaultUnlocker]
  private let request: VaultInspection.ChangeRequest

  init(
    _ url: URL, _ keys: [VaultKey], _ request: VaultInspection.ChangeRequest
  ) throws(StorageError) {
    self.url = url
    self.keys = keys
    self.request = request
    path = try FilePath.of(url)
    unlockers = keys.map(VaultUnlocker.init)
  }

  func run() throws {
    let before = try slots()
    guard let key = key(for: before) else { throw VaultInspection.locked(path) }
    // A refused change must not change the file, but opening the vault may remove old values.
    try validate(before)
    try rejectDamage()
    try request.permit()
    let backend = try open(key)
    var isLocked = false
    do {
      // While this process holds the lock, no other process can open the vault.
      try backend.withExclusiveAccess {
        isLocked = true
        try request.permit()
        let slots = try slots()
        try validate(slots)
        try change(backend, slots)
      }
    } catch let error as StorageError where error.code == .locked && !isLocked {
      throw busy(error)
    }
  }

  private func slots() throws(StorageError) -> [VaultKeySlot] {
    try StorageError.naming(backend: "vault") { () throws(StorageError) in
      let header = try VaultInspection.header(at: path, unlockers)
      return try VaultKeySlot.all(of: header, openedBy: unlockers, path: path)
    }
  }

  /// Throws if a record is damaged: opening the vault for writing would drop the rest of the file.
  private func rejectDamage() throws(StorageError) {
    guard let unlocker = unlockers.first else { return }
    let file = try VaultFile.open(path, unlocker, flags: O_RDONLY, recovering: true)
    guard let damage = file.damage else { return }
    throw StorageError(
      .corrupted, "cannot change the keys of \(quoted(path)): \(damage)",
      suggestion: """
        restore the vault from a backup, or open it once with its application, which preserves the \
        damaged file
        """,
      backend: "vault")
  }

  /// Returns the key with which the vault is opened: if a slot is removed, a key of another slot
  /// if possible.
  private func key(for slots: [VaultKeySlot]) -> VaultKey? {
    guard case .removeSlot(let number) = request.change,
      let removed = slots.first(where: { $0.number == number }), keys.count > 1
    else { return keys.first }
    // Of a key file and a passphrase, the one of the other kind remains.
    return keys.first { ($0.kind == .keyFile) != (removed.kind == .keyFile) } ?? keys.first
  }

  private func open(_ key: VaultKey) throws(StorageError) -> VaultBackend {
    do throws(StorageError) {
      return try VaultBackend(
        at: url, unlockedBy: key, lockTimeout: Self.lockTimeout, createsMissing: false)
    } catch  where error.code == .locked {
      // The key was read before, so another process holds the lock.
      throw busy(error)
    }
  }

  private func busy(_ error: StorageError) -> StorageError {
    StorageError(
      .busy, error.failure, suggestion: "repeat the change when the other process has finished",
      backend: "vault", underlying: error.underlying)
  }

  // MARK: Changes

  /// Throws ``StorageError/Code/misuse`` if the change is not possible, or if a key would lose
  /// access although the request does not allow it.
  private func validate(_ slots: [VaultKeySlot]) throws(StorageError) {
    switch request.change {
    case .add(let credentials):
      for key in VaultInspection.keys(of: credentials) { try rejectDuplicate(of: key) }
    case .removeSlot(let number):
      _ = try slot(number, of: slots)
      let others = slots.filter { $0.number != number }
      guard !others.isEmpty else {
        throw misuse(
          "remove the slot \(number) of", "the vault has no other slot",
          "add another key file or passphrase first")
      }
      guard request.allowsLosingAccess || others.contains(where: \.isOpened) else {
        throw misuse(
          "remove the slot \(number) of", "the given keys open no other slot",
          "pass another key of the vault as well, or pass --allow-losing-access")
      }
    case .rekey:
      let lost = slots.filter { !$0.isOpened }
      guard lost.isEmpty || request.allowsLosingAccess else {
        let list = lost.map { "\($0.number) (\($0.kind.rawValue))" }.joined(separator: ", ")
        throw misuse(
          "rekey",
          """
          the given keys do not open these slots, whose keys would no longer open the vault: \(list)
          """,
          "pass all keys of the vault, or pass --allow-losing-access")
      }
    }
  }

  private func change(_ backend: VaultBackend, _ slots: [VaultKeySlot]) throws(StorageError) {
    switch request.change {
    case .add(let credentials):
      try backend.add(VaultInspection.keys(of: credentials))
    case .removeSlot(let number):
      try backend.remove(
        try slot(number, of: slots), allowsLosingAccess: request.allowsLosingAccess)
    case .rekey(let credentials):
      try backend.rekey(to: credentials.map { VaultInspection.keys(of: $0) } ?? keys)
    }
  }

  private func slot(
    _ number: Int, of slots: [VaultKeySlot]
  ) throws(StorageError) -> VaultKeySlot {
    if let slot = slots.first(where: { $0.number == number }) { return slot }
    throw misuse(
      "remove the slot \(number) of",
      slots.count == 1
        ? "the vault has only the slot 1" : "the vault has the slots 1 to \(slots.count)",
      "list the slots of the vault, and pass the number of one of them")
  }

  private func rejectDuplicate(of key: VaultKey) throws(StorageError) {
    // A missing key file opens no slot, and is created.
    if let path = try key.keyFilePath, try !Folder.hasEntry(at: path) { return }
    let header = try VaultInspection.header(at: path, [])
    let unlocker = VaultUnlocker(key)
    for (index, slot) in header.slots.enumerated()
    where try unlocker.opens(slot, of: header.id, path: path) {
      throw misuse(
        "add a key to", "this key opens the slot \(index + 1) already", "pass another key")
    }
  }

  private func misuse(_ action: String, _ reason: String, _ suggestion: String) -> StorageError {
    StorageError(
      .misuse, "cannot \(action) \(quoted(path)): \(reason)", suggestion: suggestion,
      backend: "vault")
  }
}
