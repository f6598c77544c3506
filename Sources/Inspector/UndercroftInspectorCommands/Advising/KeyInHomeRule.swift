import Foundation
import UndercroftInspection

/// A rule that recognises the key file of a vault in the same home as the vault.
///
/// It is a note, because `Storage(home:)` chooses this place by default.
struct KeyInHomeRule: AdviceRule {
  static let names = ["key-in-home"]

  func advice(about store: AdvisedStore) throws -> [Advice] {
    // A store without a kind was passed by its own path, so that it has no home.
    guard store.discovered.kind != nil, store.discovered.vault != nil else { return [] }
    let check = KeyFileCheck(
      home: store.location.path(percentEncoded: false),
      stores: store.allStores,
      files: StoreFile.all(at: store.location, listedBy: store.listings))
    return check.keys(of: store.discovered).map { key in
      Advice(
        rule: "key-in-home", severity: .note, store: store.name, subject: key.path, count: 1,
        reason: key.text, fix: KeyFileCheck.suggestion)
    }
  }
}
