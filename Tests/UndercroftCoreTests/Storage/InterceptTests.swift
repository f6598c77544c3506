import Foundation
import TestSupport
import Testing
import UndercroftCore

/// Tests of the interceptors of a storage, which receive the keys and names of the application.
@Suite struct InterceptTests {
  private struct TooLarge: Error {}

  /// A storage whose kinds share one backend, in which each kind has a prefix.
  private func sharedLibrary() throws -> Storage {
    var storage = Storage()
    try storage.use(.memory, for: .preference, .document)
    return storage
  }

  @Test func `an interceptor receives key names without the prefix that the backend stores`() throws
  {
    let storage = try sharedLibrary()
    let names = EventCollector<[String]>()
    let registration = try storage.intercept(
      .preference, before: { names.append($0.names) }, after: { names.append($0.names) })

    try storage.save(20, for: .fontSize)
    try storage.edit(.preference) {
      $0[.theme] = .dark
      $0[.fontSize] = 21
    }
    try storage.remove(.theme)

    #expect(
      names.events == [
        ["fontSize"], ["fontSize"], ["theme", "fontSize"], ["theme", "fontSize"], ["theme"],
        ["theme"],
      ])
    registration.cancel()
  }

  @Test func `an interceptor of one data kind is not called for writes of another data kind`()
    throws
  {
    let storage = try sharedLibrary()
    let calls = EventCollector<String>()
    let registration = try storage.intercept(
      .preference, before: { _ in calls.append("before") }, after: { _ in calls.append("after") })

    try storage.save(Loan(book: "Dune", days: 14), for: .loan(1))

    #expect(calls.events == [])
    registration.cancel()
  }

  @Test func `an interceptor can read the new values of a write and reject the write by throwing`()
    throws
  {
    let storage = try sharedLibrary()
    let registration = try storage.intercept(.preference) { write in
      if let size = try write.newValue(of: .fontSize), size > 72 { throw TooLarge() }
    }

    try storage.save(72, for: .fontSize)
    #expect(throws: TooLarge.self) { try storage.save(73, for: .fontSize) }
    #expect(throws: TooLarge.self) {
      try storage.edit(.preference) {
        $0[.theme] = .dark
        $0[.fontSize] = 100
      }
    }

    #expect(storage[.fontSize] == 72)
    #expect(storage[.theme] == .system)
    registration.cancel()
  }

  @Test
  func `an interceptor reads the default as a removed key's new value, and nil for unchanged keys`()
    throws
  {
    let storage = try sharedLibrary()
    try storage.save(20, for: .fontSize)
    let sizes = EventCollector<Int?>()
    let themes = EventCollector<Theme?>()
    let concerned = EventCollector<[Bool]>()
    let registration = try storage.intercept(.preference) { write in
      sizes.append(try write.newValue(of: .fontSize))
      themes.append(try write.newValue(of: .theme))
      concerned.append([
        write.concerns(.fontSize), write.concerns(.theme), write.concerns(.loan(1)),
      ])
    }

    try storage.remove(.fontSize)

    #expect(sizes.events == [12])
    #expect(themes.events == [nil])
    #expect(concerned.events == [[true, false, false]])
    registration.cancel()
  }

  @Test func `an interceptor can read the new value of a key whose name is not in normal form C`()
    throws
  {
    let storage = try sharedLibrary()
    let key = StorageKey<Int>("cafe\u{301}", kind: .preference, default: 0)
    let values = EventCollector<Int?>()
    let registration = try storage.intercept(.preference) { write in
      #expect(write.concerns(key))
      values.append(try write.newValue(of: key))
    }

    try storage.save(3, for: key)

    #expect(values.events == [3])
    registration.cancel()
  }

  @Test func `an interceptor added during a write is not called for that write`() throws {
    let storage = try sharedLibrary()
    let calls = EventCollector<String>()
    let inner = EventCollector<Registration>()
    let outer = try storage.intercept(.preference) { _ in
      guard inner.events.isEmpty else { return }
      inner.append(
        try storage.intercept(
          .preference, before: { _ in calls.append("before") },
          after: { _ in calls.append("after") }))
    }

    try storage.save(20, for: .fontSize)
    #expect(calls.events == [])
    try storage.save(21, for: .fontSize)
    #expect(calls.events == ["before", "after"])
    withExtendedLifetime((outer, inner)) {}
  }

  @Test
  func `cancelling an interceptor in its before closure prevents the call of its after closure`()
    throws
  {
    let storage = try sharedLibrary()
    let calls = EventCollector<String>()
    let registrations = EventCollector<Registration>()
    registrations.append(
      try storage.intercept(
        .preference, before: { _ in for one in registrations.events { one.cancel() } },
        after: { _ in calls.append("after") }))

    try storage.save(20, for: .fontSize)

    #expect(calls.events == [])
  }

  @Test
  func `adding an interceptor for a data kind without a backend fails with the code unavailable`() {
    let error = #expect(throws: StorageError.self) { try Storage().intercept(.preference) { _ in } }

    #expect(error?.code == .unavailable)
  }
}
