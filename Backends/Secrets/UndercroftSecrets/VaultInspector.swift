public import UndercroftCore
import UndercroftFileSystem
public import UndercroftFoundation
public import UndercroftInspection

extension VaultBackend: Inspectable {
  public func inspect() throws(StorageError) -> InspectionReport {
    try reading { (file) throws(StorageError) in
      try VaultReport.make(
        file.header, entryCount: file.index.count, of: file.file, damage: file.damage)
    }
  }

  public func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try reading { (file) throws(StorageError) in file.entries(withPrefix: prefix) }
  }

  public func bytes(of entry: String) throws(StorageError) -> Data? { try read(entry) }
}

/// A vault that is opened for inspection.
///
/// Without a key, only the vault's size, key slots and epoch can be read. The epoch is 1 for a new
/// vault, and increases by 1 with every rewrite.
struct VaultInspector: Inspectable {
  let path: String
  let unlocker: VaultUnlocker?
  /// The vault from which single values are read.
  let vault = ReadVault()

  func inspect() throws(StorageError) -> InspectionReport {
    if let unlocker {
      let file = try Self.open(path, unlocker)
      return try VaultReport.make(
        file.header, entryCount: file.index.count, of: file.file, damage: file.damage)
    }
    let file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    let header = try VaultHeader(decoding: try file.read(1 << 16, at: 0), path: path)
    return try VaultReport.make(header, entryCount: nil, of: file, damage: nil)
  }

  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try Self.open(path, try needed()).entries(withPrefix: prefix)
  }

  func forEachValue(
    withPrefix prefix: String, _ body: (_ name: String, _ bytes: Data) throws -> Bool
  ) throws {
    let file = try Self.open(path, try needed())
    for name in file.index.keys.names(withPrefix: prefix) {
      guard let bytes = try file.read(name) else { continue }
      guard try body(name, bytes) else { return }
    }
  }

  func bytes(of entry: String) throws(StorageError) -> Data? {
    try vault.bytes(of: entry, at: path, try needed())
  }

  func check() throws(StorageError) -> CheckResult {
    let file = try Self.open(path, try needed())
    var result = CheckResult(damage: file.damage.map { ["\($0)"] } ?? [])
    for name in file.index.keys.names(withPrefix: "") {
      do throws(StorageError) {
        _ = try file.read(name)
      } catch {
        guard error.code == .corrupted else { throw error }
        result.damage.append(error.failure)
      }
    }
    return result
  }

  private static func open(
    _ path: String, _ unlocker: VaultUnlocker
  ) throws(StorageError) -> VaultFile {
    try VaultFile.open(path, unlocker, flags: O_RDONLY, recovering: true)
  }

  private func needed() throws(StorageError) -> VaultUnlocker {
    guard let unlocker else { throw VaultInspection.locked(path) }
    return unlocker
  }
}

extension VaultFile {
  fileprivate borrowing func entries(withPrefix prefix: String) -> [InspectionEntry] {
    var entries: [InspectionEntry] = []
    for name in index.keys.names(withPrefix: prefix) {
      entries.append(InspectionEntry(name: name, byteCount: size(of: name)))
    }
    return entries
  }
}

private enum VaultReport {
  static func make(
    _ header: VaultHeader, entryCount: Int?, of file: borrowing Descriptor, damage: StoreDamage?
  ) throws(StorageError) -> InspectionReport {
    let slots = header.slots.map { $0.kind == .keyFile ? "key file" : "passphrase" }
    var report = InspectionReport(
      format: "vault 1", entryCount: entryCount, byteCount: Int(try file.status().st_size),
      isConfidential: true,
      facts: [.init("opened by", slots.joined(separator: ", ")), .init("epoch", "\(header.epoch)")]
        + DamagedFile.facts(damage, of: file.path))
    report.isReadAsWhole = true
    report.damage = damage
    return report
  }
}
