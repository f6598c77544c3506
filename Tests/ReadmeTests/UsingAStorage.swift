import Foundation
import Undercroft

// The code of Docs/Guides/UsingAStorage.md.

nonisolated extension StorageKey<Int> {
  static var fontSize: Self { Self("fontSize", kind: .preference, default: 12) }
}

nonisolated struct Loan: Codable, Equatable, Sendable {
  var book: String
  var days: Int
}

nonisolated extension StorageKey<Loan?> {
  static func loan(_ number: Int) -> Self { Self("loan/\(number)", kind: .document) }
}

nonisolated extension StorageKey<Data?> {
  static func cover(_ book: String) -> Self { Self("cover/\(book)", kind: .blob) }
}

func oneByOne(_ storage: Storage) throws -> [String] {
  try storage.save(Loan(book: "Dune", days: 14), for: .loan(1))
  let loan = try storage.load(.loan(1))  // nil where there is none
  try storage.save(nil, for: .loan(1))  // removes it, as remove(.loan(1)) does
  try storage.save(loan, for: .loan(2))
  let isLent = try storage.contains(.loan(2))
  let names = try storage.names(of: .document, withPrefix: "loan/")  // ["loan/2"]
  if isLent { try storage.removeAll(of: .document) }
  return names
}

func bySubscript(_ storage: Storage) -> Int {
  storage[.fontSize] = 14
  return storage[.fontSize] + 2
}

func several(_ storage: Storage) throws -> Int {
  try storage.edit(.document) { edit in
    let days = try edit.load(.loan(1))?.days ?? 0
    try edit.save(Loan(book: "Emma", days: days + 7), for: .loan(2))
    try edit.remove(.loan(1))
    return days
  }
}

func inChunks(_ storage: Storage, from file: FileHandle) throws -> Int {
  try storage.withWriter(for: .cover("Dune")) { writer in
    while let chunk = try file.read(upToCount: 64 << 10), !chunk.isEmpty {
      try writer.write(chunk)
    }
  }
  return try storage.withReader(for: .cover("Dune")) { $0?.size ?? 0 }
}

func watch(_ storage: Storage) async {
  for await size in storage.values(of: .fontSize) {  // now, and after every change
    print("the font has \(size) points")
    if size > 20 { break }
  }
}

func watchWithClosure(_ storage: Storage) throws -> [Registration] {
  let size = try storage.observe(.fontSize) { old, new in
    print("the font size has changed from \(old) to \(new)")
  }
  let both = try storage.observe(.fontSize, .theme) { size, theme in
    print("\(theme.new) in \(size.new) points")
  }
  let drafts = try storage.observeAll(of: .document) { print("a document has changed") }
  return [size, both, drafts]
}

func check(_ storage: Storage) throws -> [Registration] {
  struct TooLarge: Error {}
  let limit = try storage.intercept(.preference) { write in
    if let size = try write.newValue(of: .fontSize), size > 72 { throw TooLarge() }
  }
  let log = try storage.intercept(.document, after: { write in print("saved \(write.names)") })
  return [limit, log]
}

func elsewhere(_ storage: Storage) async throws -> Loan? {
  try await storage.async.save(Loan(book: "Dune", days: 14), for: .loan(1))
  return try await storage.async.load(.loan(1))
}

func layered(_ file: URL) throws -> Storage {
  let arguments = MemoryBackend()
  var volatile = Storage()
  try volatile.use(.backend(arguments), for: .preference)
  try volatile.save(20, for: .fontSize)

  var storage = Storage()
  try storage.use(.settings(at: file).searching(overrides: [arguments]), for: .preference)
  return storage
}

func told(_ storage: Storage) -> String {
  do {
    return try storage.load(.session)?.reader ?? "nobody"
  } catch {
    switch error.code {
    case .wrongKey, .locked: return "the vault cannot be opened now"
    case .corrupted: return "the vault is damaged"
    default: return "\(error)"  // one line: what failed, why, what to do
    }
  }
}
