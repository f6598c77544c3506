import Foundation
import UndercroftCore
import UndercroftInspection

/// A description of the values that an edit would change.
struct EditPreview {
  let edit: StoreEdit
  private(set) var lines: [String] = []

  /// Compares the changes of an edit with the present values of the store.
  ///
  /// A change that would not change its value is omitted. Values of confidential stores are not
  /// shown.
  init(_ edit: StoreEdit, _ excerpt: ValueExcerpt) throws {
    self.edit = edit
    for change in edit.changes {
      let old = try edit.opened?.bytes(of: change.name)
      let new = change.bytes
      guard old != new else { continue }
      let sign: Difference.Change = old == nil ? .added : new == nil ? .removed : .changed
      let show = { (bytes: Data) in
        edit.isConfidential
          ? ByteText.readable(bytes.count) : excerpt.text(of: bytes, named: change.name)
      }
      let values = [old, new].compactMap(\.self).map(show).joined(separator: " → ")
      let subject = [edit.store.kind, change.name].compactMap(\.self).map { ValueText.safe($0) }
      lines.append("\(sign.rawValue) \(subject.joined(separator: " ")): \(values)")
    }
  }
}

extension StorageChange {
  /// The bytes that the change stores, or `nil` if it removes them.
  var bytes: Data? {
    switch self {
    case .set(_, let bytes): bytes
    case .remove: nil
    }
  }
}
