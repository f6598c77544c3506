import Foundation
import Undercroft

enum Theme: String, Codable { case light, dark }
nonisolated struct Session: Codable, Equatable { var reader: String }

extension StorageKey<Theme> {
  static var theme: Self { Self("theme", kind: .preference, default: .light) }
}
extension StorageKey<Session?> {
  static var session: Self { Self("session", kind: .secret) }
}

func visit(_ home: URL) throws -> Session? {
  var storage = try Storage(home: home)  // a sensible backend for every kind of data
  let database = home.appending(path: "preferences.sqlite")
  try storage.use(.sqlite(at: database), for: .preference)  // or a choice of your own

  try storage.save(.dark, for: .theme)
  let theme = storage[.theme]  // from memory once read; never throws
  try storage.edit(.preference) { $0[.theme] = theme }  // all changes or none

  try storage.save(Session(reader: "Ada"), for: .session)  // encrypted in a vault
  return try storage.load(.session)  // a secret's errors are thrown
}
