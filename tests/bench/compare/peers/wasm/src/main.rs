//! Native Rust, wasmtime without us (core module and component) and wasmi. Called by `run` with the engine's name. The
//! law: the guest's code is the same WebAssembly as in our hook, in the engine's plain way: fast builds, no fuel, no
//! deadline.

mod module;

use protocol::{Host, JOINTS};

/// wasmtime's and wasmi's wrappers are called alike, and have types of their own.
macro_rules! core_module {
    ($engine:ident, $form:expr) => {{
        use $engine::{Caller, Engine, Linker, Module, Store};
        let engine = Engine::default();
        let module = Module::new(&engine, module::core($form)).expect("a module");
        let mut linker = Linker::<Host>::new(&engine);
        let read = |host: Caller<'_, Host>, of: u32| host.data().read(of);
        let set = |mut host: Caller<'_, Host>, to: u32, value: f64, at: u64| host.data_mut().set(to, value, at);
        let now = |host: Caller<'_, Host>| host.data().now;
        linker.func_wrap("host", "read", read).expect("a name");
        linker.func_wrap("host", "set", set).expect("a name");
        linker.func_wrap("host", "now", now).expect("a name");
        let mut store = Store::new(&engine, Host::default());
        let instance = core_module!(instance $engine linker store module);
        let hook = instance.get_typed_func::<(), ()>(&mut store, "hook").expect("a hook");
        protocol::contest(|| {
            hook.call(&mut store, ()).expect("no trap");
            store.data_mut().take();
        });
    }};
    (instance wasmtime $linker:ident $store:ident $module:ident) => {
        $linker.instantiate(&mut $store, &$module).expect("an instance")
    };
    (instance wasmi $linker:ident $store:ident $module:ident) => {
        $linker.instantiate_and_start(&mut $store, &$module).expect("an instance")
    };
}

fn main() {
    let word = std::env::args().nth(1).unwrap_or_default();
    match word.as_str() {
        "native" => protocol::contest(native(1)),
        "natives" => {
            let count = std::env::args().nth(2).and_then(|argument| argument.parse().ok());
            protocol::contest_paced(native(count.expect("a number")));
        }
        "module" | "module-written-out" => {
            let module = module::core(word == "module-written-out");
            std::fs::write(std::env::args().nth(2).expect("a path"), module).expect("a file");
        }
        "extism-module" => {
            std::fs::write(std::env::args().nth(2).expect("a path"), module::extism())
                .expect("a file")
        }
        "wasmtime" | "wasmtime-written-out" => {
            core_module!(wasmtime, word == "wasmtime-written-out");
        }
        "component" => component(),
        "wasmi" | "wasmi-written-out" => core_module!(wasmi, word == "wasmi-written-out"),
        other => panic!("there is no engine {other:?}"),
    }
}

/// So many functions that the optimiser does not see, as of a library that is loaded.
fn native(count: usize) -> impl FnMut() {
    fn hook(host: &mut Host) {
        for joint in 0..JOINTS as u32 {
            let value = host.read(joint);
            host.set(joint, value, host.now);
        }
    }
    let mut hosts: Vec<_> = (0..count).map(|_| Host::default()).collect();
    let hook: fn(&mut Host) = std::hint::black_box(hook);
    move || {
        for host in &mut hosts {
            hook(host);
            host.take();
        }
    }
}

fn component() {
    use wasmtime::component::{Component, Linker};
    use wasmtime::{Engine, Store, StoreContextMut};
    let engine = Engine::default();
    let component = Component::new(&engine, module::component()).expect("a component");
    let mut linker = Linker::<Host>::new(&engine);
    let mut root = linker.root();
    let read = |host: StoreContextMut<'_, Host>, (of,): (u32,)| Ok((host.data().read(of),));
    let set = |mut host: StoreContextMut<'_, Host>, (to, value, at): (u32, f64, u64)| {
        Ok((host.data_mut().set(to, value, at),))
    };
    let now = |host: StoreContextMut<'_, Host>, (): ()| Ok((host.data().now,));
    root.func_wrap("read", read).expect("a name");
    root.func_wrap("set", set).expect("a name");
    root.func_wrap("now", now).expect("a name");
    let mut store = Store::new(&engine, Host::default());
    let instance = linker
        .instantiate(&mut store, &component)
        .expect("an instance");
    let hook = instance
        .get_typed_func::<(), ()>(&mut store, "hook")
        .expect("a hook");
    protocol::contest(|| {
        hook.call(&mut store, ()).expect("no trap");
        store.data_mut().take();
    });
}
