import Foundation
import Undercroft

/// A benchmark that compares one backend of the toolkit with the raw C library and a peer library.
struct Contest: Contestant {
  let name: String
  let kind: DataKind
  let choice: @Sendable (URL) -> BackendChoice
  let raw: (any KeyedStore.Type)?
  let peer: (any KeyedStore.Type)?
  let peerName: String?

  init(
    _ name: String, kind: DataKind = .preference, raw: (any KeyedStore.Type)? = nil,
    peer: (any KeyedStore.Type)? = nil, peerName: String? = nil,
    _ choice: @escaping @Sendable (URL) -> BackendChoice
  ) {
    self.name = name
    self.kind = kind
    self.choice = choice
    self.raw = raw
    self.peer = peer
    self.peerName = peerName
  }

  func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    let ours = directory.appending(path: "ours")
    let theirs = directory.appending(path: "raw")
    let peers = directory.appending(path: "peer-\(UUID().uuidString)")
    var figures = [String: Figures]()
    func record(_ what: String, _ path: WritableKeyPath<Figures, [Double]>, _ value: Double) {
      figures[what, default: Figures()][keyPath: path].append(value)
    }
    for _ in 0..<clock.runs {
      for (what, value) in try OursTimed(choice, kind).times(clock, at: ours) {
        record(what, \.ours, value)
      }
      if let raw {
        for (what, value) in try raw.times(clock, at: theirs) { record(what, \.raw, value) }
      }
      if let peer {
        for (what, value) in try peer.times(clock, at: peers) { record(what, \.peer, value) }
      }
    }
    return figures.sorted { $0.key < $1.key }.map { what, figures in
      Measurement(
        "keyed.\(name).\(what)", unit: what == "batch" ? "us/key" : "us", peerName: peerName,
        ours: figures.ours, raw: figures.raw.isEmpty ? nil : figures.raw,
        peer: figures.peer.isEmpty ? nil : figures.peer)
    }
  }

  private struct Figures {
    var ours: [Double] = []
    var raw: [Double] = []
    var peer: [Double] = []
  }
}

/// The measurement of the operations of one backend of the toolkit.
private struct OursTimed {
  let choice: (URL) -> BackendChoice
  let kind: DataKind
  let keys: [StorageKey<Data>]

  init(_ choice: @escaping (URL) -> BackendChoice, _ kind: DataKind) {
    self.choice = choice
    keys = StorageStore.names(of: kind)
    self.kind = kind
  }

  func times(_ clock: Stopwatch, at url: URL) throws -> [String: Double] {
    var times: [String: Double] = [:]
    do {
      let store = try StorageStore(choice(url), keys: keys, kind: kind)
      try store.setBatch(Sample.values)
      times["batch"] = try clock.time(perCall: Sample.count) { round in
        try store.setBatch(Sample.changed(round))
      }
      times["set"] = try clock.time {
        try store.set(Sample.order[$0 % Sample.count], Sample.values[$0 % Sample.count])
      }
      try store.setBatch(Sample.uniformValues)
      times["set-same-size"] = try clock.time {
        try store.set(Sample.order[$0 % Sample.count], Sample.uniformValues[$0 % Sample.count])
      }
      times["get"] = try clock.time { try clock.keep(store.get(Sample.order[$0 % Sample.count])) }
      if kind == .preference {
        times["hot"] = try clock.time { clock.keep(store.hotGet(Sample.order[$0 % Sample.count])) }
      }
    }
    times["open"] = try clock.time { _ in
      try clock.keep(StorageStore(choice(url), keys: keys, kind: kind).get(0))
    }
    return times
  }
}

extension KeyedStore {
  /// Returns the duration of each operation of a store of this type in microseconds, keyed by the
  /// name of the operation.
  static func times(_ clock: Stopwatch, at url: URL) throws -> [String: Double] {
    var times: [String: Double] = [:]
    do {
      let store = try Self(at: url)
      try store.setBatch(Sample.values)
      times["batch"] = try clock.time(perCall: Sample.count) { round in
        try store.setBatch(Sample.changed(round))
      }
      times["set"] = try clock.time {
        try store.set(Sample.order[$0 % Sample.count], Sample.values[$0 % Sample.count])
      }
      try store.setBatch(Sample.uniformValues)
      times["set-same-size"] = try clock.time {
        try store.set(Sample.order[$0 % Sample.count], Sample.uniformValues[$0 % Sample.count])
      }
      times["get"] = try clock.time { try clock.keep(store.get(Sample.order[$0 % Sample.count])) }
      times["hot"] = times["get"]
    }
    times["open"] = try clock.time { _ in try clock.keep(Self(at: url).get(0)) }
    return times
  }
}
