import Foundation
import UndercroftCore
import UndercroftInspection

/// The facts about a vault that are not secrets.
struct VaultStatus {
  private let vault: InspectedVault
  private let summary: VaultInspection.Summary
  /// The number of values and records, or `nil` if the vault is locked.
  private let content: VaultInspection.Verification?
  /// The error that prevented unlocking the vault, or `nil` if there was none.
  private let refusal: StorageError?
  private let file: StoreFile
  private let openers: [FileOpener]

  init(of vault: InspectedVault) throws {
    self.vault = vault
    summary = try vault.summary()
    do {
      content = vault.hasCredentials ? try vault.verify() : nil
      refusal = nil
    } catch let error as StorageError where error.code == .insecurePermissions {
      // The status must show the permissions that have to be changed.
      content = nil
      refusal = error
    }
    guard let file = StoreFile(vault.path) else { throw StorageError.system("open", vault.path) }
    self.file = file
    openers = vault.openers
  }

  func row(isText: Bool) -> [ResultValue] {
    let age = max(0, Date.now.timeIntervalSince(file.modified))
    return [
      .text(vault.path), .text(summary.format), .text(content == nil ? "locked" : "unlocked"),
      ResultValue(content?.entryCount),
      content.map { .integer(Int64(clamping: $0.recordCount)) } ?? .absent,
      .integer(Int64(clamping: summary.epoch)),
      .list(summary.slots.map { isText ? .text(text($0)) : object($0) }),
      ResultValue(file.byteCount), .text(file.modeText),
      isText ? .text(UserName.text(of: file.owner)) : .integer(Int64(file.owner)),
      .text(file.modified.formatted(.iso8601)),
      isText ? .text(AgeText.of(age)) : .integer(Int64(exactly: age.rounded()) ?? .max),
      .list(openers.map { .text($0.description) }), .list(warnings.map { .text($0) }),
    ]
  }

  private var warnings: [String] {
    var warnings: [String] = []
    if file.isSharedWithOthers {
      warnings.append(
        "other users can access the file; run: chmod 600 \(ShellText.shown(file.path))")
    }
    if file.owner != geteuid() {
      warnings.append("the file belongs to the user \(UserName.text(of: file.owner))")
    }
    if let refusal { warnings.append(refusal.message) }
    if let damage = content?.damage { warnings.append(damage) }
    return warnings
  }

  private func text(_ slot: VaultInspection.Slot) -> String {
    let cost = slot.cost.map { ", \($0)" } ?? ""
    let memory = slot.costByteCount.map { ", \(ByteText.readable($0))" } ?? ""
    let opened = slot.isOpened == true ? ", opened by the given key" : ""
    return "\(slot.number): \(slot.kind)\(cost)\(memory)\(opened)"
  }

  private func object(_ slot: VaultInspection.Slot) -> ResultValue {
    let pairs = zip(VaultSlotRows.columns, VaultSlotRows.values(slot))
    return .object(Dictionary(pairs.map { (ExactString($0), $1) }) { first, _ in first })
  }
}
