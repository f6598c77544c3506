import Foundation
import Undercroft

enum Theme: String, Codable { case light, dark }
struct Session: Codable, Equatable { var reader: String }

extension StorageKey<Theme> { static var theme: Self { Self("theme", kind: .preference, default: .light) } }
extension StorageKey<Int> { static var fontSize: Self { Self("font-size", kind: .preference, default: 12) } }
extension StorageKey<Session?> { static var session: Self { Self("session", kind: .secret) } }

enum FirstExample {
  static func run(home: URL) throws -> Session? {
    var storage = try Storage(home: home)  // a sensible backend for every kind
    try storage.use(.sqlite(at: home.appending(path: "prefs.sqlite")), for: .preference)  // or your own choice

    try storage.save(.dark, for: .theme)
    let theme = storage[.theme]  // from memory, never throws
    try storage.edit(.preference) { $0[.theme] = theme; $0[.fontSize] = 14 }  // all or nothing
    try storage.save(Session(reader: "Ada"), for: .session)  // sealed in a vault
    return try storage.load(.session)
  }
}
